#include "translate/gddl/description.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace zermelo::translate::gddl {

namespace {

using Done = base::Result<void>;

bool is_name(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return c < 128 && (std::isalnum(c) || c == '-' || c == '_');
  });
}

bool is_variable(std::string_view word) { return word.starts_with('?') && is_name(word.substr(1)); }

class DescriptionReader {
 public:
  explicit DescriptionReader(const base::Source& source) : source_(source) {}

  base::Result<Description> run() {
    const auto definitions = read_expressions(source_);
    if (!definitions) return tl::unexpected(definitions.error());
    for (const Expression& definition : *definitions) {
      if (!definition.is("define")) return fail(definition, "expected (define ...)");
      for (std::size_t i = 1; i < definition.items.size(); ++i) {
        if (auto done = section(definition.items[i]); !done) return tl::unexpected(done.error());
      }
    }
    if (result_.goals.size() != 1)
      return fail(definitions->back(), "expected one (:goal ...): when the game is over");
    return std::move(result_);
  }

 private:
  tl::unexpected<base::Error> fail(const Expression& where, const std::string& message) const {
    return tl::unexpected(error_at(source_, where.span, message));
  }

  Done section(const Expression& part) {
    if (!part.is_list || part.items.empty()) return fail(part, "expected a section: (:action ...)");
    const std::string& word = part.items[0].word;
    if (word == "domain" || word == "problem" || word == ":domain" || word == ":requirements")
      return {};
    if (word == ":predicates") {
      for (const Expression& declared : part.items) {
        if (declared.is_list && !declared.items.empty())
          result_.predicates.insert(declared.items[0].word);
      }
      return {};
    }
    if (word == ":types") return types(part);
    if (word == ":constants" || word == ":objects") return objects(part);
    if (word == ":derived") return derived(part);
    if (word == ":action") return action(part);
    if (word == ":gain") return gain(part);
    if (word == ":init") {
      result_.initial.insert(result_.initial.end(), part.items.begin() + 1, part.items.end());
      return {};
    }
    if (word == ":goal" && part.items.size() == 2) {
      result_.goals.push_back(part.items[1]);
      return {};
    }
    return fail(part, "a game cannot have this section, or not in this form");
  }

  Done types(const Expression& part) {
    const auto names = read_typed_list(source_, part.items, 1, part.items.size());
    if (!names) return tl::unexpected(names.error());
    for (const TypedName& name : *names) {
      if (name.name != "object") result_.parent_of[name.name] = name.type;
    }
    return {};
  }

  Done objects(const Expression& part) {
    const auto names = read_typed_list(source_, part.items, 1, part.items.size());
    if (!names) return tl::unexpected(names.error());
    result_.objects.insert(result_.objects.end(), names->begin(), names->end());
    return {};
  }

  base::Result<std::vector<TypedName>> parameters(const Expression& list, std::size_t begin) const {
    return read_variables(list.items, begin, list.items.size());
  }

  base::Result<std::vector<TypedName>> read_variables(const std::vector<Expression>& items,
                                                      std::size_t begin, std::size_t end) const {
    auto names = read_typed_list(source_, items, begin, end);
    for (std::size_t i = 0; names && i < names->size(); ++i) {
      if ((*names)[i].name.starts_with('?')) continue;
      return tl::unexpected(error_at(source_, (*names)[i].span, "expected a variable"));
    }
    return names;
  }

  Done derived(const Expression& part) {
    if (part.items.size() != 3 || !part.items[1].is_list || part.items[1].items.empty() ||
        !is_name(part.items[1].items[0].word)) {
      return fail(part, "expected (:derived (predicate parameters) body)");
    }
    auto names = parameters(part.items[1], 1);
    if (!names) return tl::unexpected(names.error());
    result_.derived.push_back({part.items[1].items[0].word, std::move(*names), part.items[2]});
    return {};
  }

  Done action(const Expression& part) {
    if (part.items.size() < 2 || !is_name(part.items[1].word) || part.items.size() % 2 != 0)
      return fail(part, "expected (:action name :parameters (...) :precondition ... :effect ...)");
    ActionSchema made{part.items[1].word, {}, {true, "", {}, part.span}, {}, part.span};
    made.effect = made.precondition;
    for (std::size_t i = 2; i < part.items.size(); i += 2) {
      const std::string& word = part.items[i].word;
      const Expression& value = part.items[i + 1];
      if (word == ":parameters" && value.is_list) {
        auto names = parameters(value, 0);
        if (!names) return tl::unexpected(names.error());
        made.parameters = std::move(*names);
      } else if (word == ":precondition") {
        made.precondition = value;
      } else if (word == ":effect") {
        made.effect = value;
      } else {
        return fail(part.items[i], "expected :parameters, :precondition or :effect");
      }
    }
    result_.actions.push_back(std::move(made));
    return {};
  }

  // The parameters stand with or without parentheses.
  Done gain(const Expression& part) {
    const auto& items = part.items;
    const std::size_t size = items.size();
    const auto value = size >= 3 ? number(items[size - 2].word) : std::nullopt;
    if (!value) return fail(part, "expected (:gain parameters number body), 0 to 100");
    const bool in_list = size == 4 && items[1].is_list;
    auto names = in_list ? parameters(items[1], 0) : read_variables(items, 1, size - 2);
    if (!names) return tl::unexpected(names.error());
    result_.gains.push_back({std::move(*names), *value, items[size - 1]});
    return {};
  }

  static std::optional<int> number(const std::string& word) {
    int value = -1;
    const auto end = word.data() + word.size();
    const auto parsed = std::from_chars(word.data(), end, value);
    if (parsed.ec != std::errc{} || parsed.ptr != end || value < 0 || value > 100)
      return std::nullopt;
    return value;
  }

  const base::Source& source_;
  Description result_;
};

}  // namespace

bool is_gddl(const base::Source& source) {
  std::string_view text = source.text();
  std::string words;
  for (std::size_t i = 0; i < text.size() && words.size() < 16; ++i) {
    if (text[i] == ';') {
      i = std::min(text.find('\n', i), text.size() - 1);
    } else if (!std::isspace(static_cast<unsigned char>(text[i]))) {
      words += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
    }
  }
  return words.starts_with("(define(domain") || words.starts_with("(define(problem");
}

base::Result<Description> read_description(const base::Source& source) {
  return DescriptionReader(source).run();
}

base::Result<std::vector<TypedName>> read_typed_list(const base::Source& source,
                                                     const std::vector<Expression>& words,
                                                     std::size_t begin, std::size_t end) {
  std::vector<TypedName> names;
  std::size_t untyped = 0;  // from here on, names wait for their type
  for (std::size_t i = begin; i < end; ++i) {
    const Expression& word = words[i];
    if (word.word == "-" && i + 1 < end && is_name(words[i + 1].word)) {
      for (; untyped < names.size(); ++untyped) names[untyped].type = words[i + 1].word;
      ++i;
    } else if (is_name(word.word) || is_variable(word.word)) {
      names.push_back({word.word, "object", word.span});
    } else {
      return tl::unexpected(error_at(source, word.span, "expected a name or a variable"));
    }
  }
  return names;
}

}  // namespace zermelo::translate::gddl
