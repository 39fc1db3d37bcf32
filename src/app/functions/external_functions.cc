// The lines that a program reads and writes are described in docs/reference/functions.md.
//
// A function must give the same result for the same inputs, as results are stored and engines ask
// in any order. So every new question is asked twice, with an older question in between, chosen at
// random; a different answer to either is a failure. After a failure, every call fails.
#include "app/functions/external_functions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "base/limited_steps.h"
#include "base/random.h"
#include "gdl/functions.h"

namespace zermelo::app {
namespace {

constexpr std::size_t most_answers = 1'000'000;
constexpr std::size_t max_result = 100;  // bytes

using Answer = std::optional<std::string>;

bool is_name(const std::string& text) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '+' || c == '.';
  };
  return !text.empty() && text.size() <= max_result &&
         std::all_of(text.begin(), text.end(), is_allowed);
}

std::string lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

// Printable, and not too long for a message.
std::string shown(const std::string& text) {
  std::string result;
  for (const char c : text.substr(0, 80)) result += c >= ' ' && c <= '~' ? c : '?';
  return text.size() > 80 ? result + "..." : result;
}

// Reads "= RESULT" or "none".
base::Result<Answer> answer_of(const std::string& line) {
  if (line == "none") return Answer();
  if (line.starts_with("= ") && is_name(line.substr(2))) return Answer(lower(line.substr(2)));
  if (line.starts_with("error ")) {
    return base::fail(base::ErrorKind::unreadable_input,
                      fmt::format("it reports \"{}\"", shown(line.substr(6))));
  }
  return base::fail(
      base::ErrorKind::unreadable_input,
      fmt::format("its answer \"{}\" is neither \"= NAME\" nor \"none\"", shown(line)));
}

class AskedModule : public gdl::ExternalModule {
 public:
  // `name` is for messages: "program 'finance'".
  AskedModule(std::string name, std::unique_ptr<FunctionProcess> process)
      : name_(std::move(name)), process_(std::move(process)) {}

  Answer call(const std::string& function, std::span<const std::string> inputs) override {
    const std::lock_guard lock(mutex_);
    if (failure_) throw base::LimitReached(*failure_);
    const std::string question =
        fmt::format("{}{}{}", function, inputs.empty() ? "" : " ", fmt::join(inputs, " "));
    if (const auto known = answers_.find(question); known != answers_.end()) return known->second;
    Answer answer = ask(question);
    if (!questions_.empty()) {
      const auto count = static_cast<std::uint32_t>(questions_.size());
      check(questions_[random_.below(count)]);
    }
    remember(question, answer);
    check(question);
    return answer;
  }

  std::optional<base::Error> failure() const override {
    const std::lock_guard lock(mutex_);
    return failure_;
  }

 private:
  Answer ask(const std::string& question) {
    const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
    if (std::any_of(question.begin(), question.end(), is_control)) {
      fail(question, "the question contains control characters");
    }
    const auto line = process_->ask(question);
    if (!line) fail(question, line.error().message);
    auto answer = answer_of(*line);
    if (!answer) fail(question, answer.error().message);
    return std::move(*answer);
  }

  void remember(const std::string& question, const Answer& answer) {
    if (questions_.size() >= most_answers) {
      questions_.clear();
      answers_.clear();
    }
    questions_.push_back(question);
    answers_.emplace(question, answer);
  }

  void check(const std::string& question) {
    const Answer& before = answers_.at(question);
    const Answer again = ask(question);
    if (again == before) return;
    fail(question, fmt::format("it answered \"{}\" and then \"{}\" to the same question",
                               before.value_or("none"), again.value_or("none")));
  }

  [[noreturn]] void fail(const std::string& question, const std::string& what) {
    failure_ = {base::ErrorKind::unreadable_input,
                fmt::format("the call \"{}\" of the {} failed: {}", shown(question), name_, what)};
    process_.reset();
    throw base::LimitReached(*failure_);
  }

  mutable std::mutex mutex_;
  std::string name_;
  std::unique_ptr<FunctionProcess> process_;
  std::optional<base::Error> failure_;
  std::unordered_map<std::string, Answer> answers_;
  std::vector<std::string> questions_;  // that are answered
  base::Random random_{1};
};

// The source of a module, if it is a program or library that the rules include.
std::optional<std::string> external_source(const gdl::Rulesheet& rules, const std::string& module) {
  const gdl::FunctionTable functions(rules);
  for (const gdl::UsedFunction& function : functions.functions()) {
    if (function.arithmetic || rules.symbols.name(function.module) != module) continue;
    return rules.symbols.name(functions.source_of(function.module)->name);
  }
  return std::nullopt;
}

base::Result<std::shared_ptr<gdl::ExternalModule>> start_module(const gdl::Rulesheet& rules,
                                                                const AllowedModule& allowed,
                                                                const FunctionOptions& options) {
  const auto source = external_source(rules, allowed.name);
  if (!source) {
    return base::fail(
        base::ErrorKind::invalid_request,
        fmt::format("--allow {0}: the rules use no program or library '{0}'", allowed.name));
  }
  const std::string path = std::filesystem::absolute(allowed.path).string();
  std::vector<std::string> command{path};
  if (*source == gdl::library_source) command = {options.host, function_host_command, path};
  auto process = FunctionProcess::start(command, options.limits);
  if (!process) return tl::unexpected(process.error());
  return std::make_shared<AskedModule>(fmt::format("{} '{}'", *source, allowed.name),
                                       std::move(*process));
}

}  // namespace

base::Result<AllowedModule> allowed_module_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && equals > 0 && equals + 1 < text.size()) {
    return AllowedModule{lower(text.substr(0, equals)), text.substr(equals + 1)};
  }
  return base::fail(base::ErrorKind::invalid_request,
                    fmt::format("--allow \"{}\" is not NAME=PATH", text));
}

base::Result<Rules> with_functions(const Rules& rules, const std::vector<AllowedModule>& allowed,
                                   const FunctionOptions& options) {
  if (allowed.empty()) return rules;
  auto modules = std::make_shared<gdl::ExternalModules>();
  for (const AllowedModule& each : allowed) {
    auto module = start_module(*rules, each, options);
    if (!module) return tl::unexpected(module.error());
    if (!modules->by_name.emplace(each.name, std::move(*module)).second) {
      return base::fail(base::ErrorKind::invalid_request,
                        fmt::format("--allow names '{}' twice", each.name));
    }
  }
  auto copy = std::make_shared<gdl::Rulesheet>(gdl::copy(*rules));
  copy->external = std::move(modules);
  return copy;
}

}  // namespace zermelo::app
