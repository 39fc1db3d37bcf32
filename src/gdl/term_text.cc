#include "gdl/term_text.h"

#include <algorithm>

namespace zermelo::gdl {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f'; }

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return result;
}

// Iterates over the words and parentheses of a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  // A parenthesis or a word; empty at the end.
  std::string_view next() {
    skip();
    const std::size_t begin = at_;
    if (at_ == text_.size()) return {};
    ++at_;
    if (text_[begin] == '(' || text_[begin] == ')') return text_.substr(begin, 1);
    while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  // A word or a whole list. Returns nullopt at the end or if a list is not closed.
  std::optional<std::string_view> item() {
    skip();
    const std::size_t begin = at_;
    std::size_t open = 0;
    do {
      const std::string_view token = next();
      if (token.empty() || (token == ")" && open == 0)) return std::nullopt;
      if (token == "(") ++open;
      if (token == ")") --open;
    } while (open > 0);
    return text_.substr(begin, at_ - begin);
  }

  bool at_end() {
    skip();
    return at_ == text_.size();
  }

 private:
  static bool ends_word(char c) { return is_blank(c) || c == '(' || c == ')' || c == ';'; }

  void skip() {
    while (at_ < text_.size() && (is_blank(text_[at_]) || text_[at_] == ';')) {
      at_ = text_[at_] == ';' ? std::min(text_.find_first_of("\r\n", at_), text_.size()) : at_ + 1;
    }
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

// Writes a term token by token. A list of one word becomes that word, as in the rule parser.
class TermWriter {
 public:
  // Returns false if the token is not allowed here.
  bool add(std::string_view token) {
    if (token == ")") return close();
    if (open_.back().parts++ > 0) text_ += ' ';
    if (token == "(") return open();
    text_ += lower_case(token);
    return true;
  }

  std::optional<std::string> finish() {
    if (open_.size() != 1 || open_.back().parts != 1) return std::nullopt;
    return std::move(text_);
  }

 private:
  static constexpr std::size_t max_nesting = 200;

  struct List {
    std::size_t begin = 0;
    std::size_t parts = 0;
  };

  bool open() {
    const bool is_name = open_.size() > 1 && open_.back().parts == 1;
    if (is_name || open_.size() > max_nesting) return false;
    open_.push_back({text_.size(), 0});
    text_ += '(';
    return true;
  }

  bool close() {
    const List list = open_.back();
    open_.pop_back();
    if (open_.empty() || list.parts == 0) return false;
    if (list.parts == 1) {
      text_.erase(list.begin, 1);
    } else {
      text_ += ')';
    }
    return true;
  }

  std::vector<List> open_ = {List()};  // the first encloses the whole text
  std::string text_;
};

// Reads terms that a person wrote.
class PersonsTerms {
 public:
  explicit PersonsTerms(std::string_view text) : text_(text) {}

  tl::expected<std::vector<std::string>, std::string> run() {
    std::vector<std::string> terms;
    while (problem_.empty() && skip(" ,;")) terms.push_back(term(0));
    if (!problem_.empty()) return tl::unexpected(problem_);
    return terms;
  }

 private:
  static constexpr std::size_t max_nesting = 200;

  // Skips blanks and the other characters given. Returns false at the end.
  bool skip(std::string_view others) {
    while (at_ < text_.size() &&
           (is_blank(text_[at_]) || others.find(text_[at_]) != std::string_view::npos)) {
      ++at_;
    }
    return at_ < text_.size();
  }

  std::string fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    at_ = text_.size();
    return "";
  }

  std::string term(std::size_t depth) {
    if (depth > max_nesting) return fail("too many nested parentheses");
    if (text_[at_] == ')') return fail("a closing parenthesis without an opening one");
    if (text_[at_] == '(') return list({}, "", depth);
    const std::size_t begin = at_;
    while (at_ < text_.size() && !is_blank(text_[at_]) &&
           std::string_view("(),;").find(text_[at_]) == std::string_view::npos) {
      ++at_;
    }
    const std::string word = lower_case(text_.substr(begin, at_ - begin));
    const bool is_function = !word.empty() && at_ < text_.size() && text_[at_] == '(';
    if (word.empty()) return fail("a separator in the place of a term");
    return is_function ? list({word}, ",", depth) : word;
  }

  // Reads a list from its opening parenthesis on. A list of one word becomes that word.
  std::string list(std::vector<std::string> parts, std::string_view separators, std::size_t depth) {
    ++at_;
    while (skip(separators) && text_[at_] != ')') parts.push_back(term(depth + 1));
    if (at_ == text_.size()) return fail("a parenthesis is not closed");
    ++at_;
    if (parts.empty()) return fail("empty parentheses");
    if (parts.size() == 1) return parts.front();
    std::string text = "(" + parts.front();
    for (std::size_t i = 1; i < parts.size(); ++i) text += " " + parts[i];
    return text + ")";
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string problem_;
};

}  // namespace

tl::expected<std::vector<std::string>, std::string> canonical_terms(std::string_view text) {
  return PersonsTerms(text).run();
}

std::optional<std::vector<std::string_view>> items_of(std::string_view text, std::size_t most) {
  Scanner scanner(text);
  std::vector<std::string_view> items;
  while (!scanner.at_end()) {
    const auto item = scanner.item();
    if (!item || items.size() == most) return std::nullopt;
    items.push_back(*item);
  }
  return items;
}

std::optional<std::string> canonical_term(std::string_view text) {
  TermWriter writer;
  Scanner scanner(text);
  for (std::string_view token = scanner.next(); !token.empty(); token = scanner.next()) {
    if (!writer.add(token)) return std::nullopt;
  }
  return writer.finish();
}

Dictionary spellings(std::string_view text) {
  Dictionary words;
  Scanner scanner(text);
  for (std::string_view token = scanner.next(); !token.empty(); token = scanner.next()) {
    words.try_emplace(lower_case(token), token);
  }
  return words;
}

std::string translated(const std::string& term, const Dictionary& words) {
  std::string result, word;
  const auto end_word = [&] {
    const auto found = words.find(word);
    result += found == words.end() ? word : found->second;
    word.clear();
  };
  for (const char c : term) {
    if (c != '(' && c != ')' && c != ' ') {
      word += c;
      continue;
    }
    end_word();
    result += c;
  }
  end_word();
  return result;
}

}  // namespace zermelo::gdl
