// Rules and contexts for the tests of requests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "app/context.h"
#include "families/families.h"
#include "solve/stored_game.h"
#include "support/load.h"

namespace zermelo::app {

using Rules = std::shared_ptr<const gdl::Rulesheet>;
using Folder = solve::TemporaryFolder;

inline Rules shipped_rules(const std::string& name) {
  return testing::rulesheet_file(ZERMELO_ROOT "/games/" + name + ".kif");
}

inline Rules generated_rules(const std::string& family, const std::vector<std::string>& sizes) {
  return testing::rulesheet(families::generate(family, sizes).value());
}

// A token goes round a ring of places until its owner stops it.
inline Rules ring_rules() {
  return testing::rulesheet(R"(
    (role a) (init (at 1)) (legal a go) (<= (legal a stop) (true (at 3)))
    (after 1 2) (after 2 3) (after 3 1)
    (<= (next (at ?y)) (does a go) (true (at ?x)) (after ?x ?y))
    (<= (next over) (does a stop)) (<= terminal (true over)) (goal a 100))");
}

// Cancels a request as soon as it reports an activity that begins with `last`.
class CancelAt {
 public:
  explicit CancelAt(std::string last) : last_(std::move(last)) {}

  Context context() {
    return {[this](const std::string& activity) {
              activities_.push_back(activity);
              if (activity.rfind(last_, 0) == 0) source_.request_stop();
            },
            source_.get_token()};
  }
  bool cancelled() const { return source_.stop_requested(); }
  const std::vector<std::string>& activities() const { return activities_; }

 private:
  std::string last_;
  std::stop_source source_;
  std::vector<std::string> activities_;
};

// A context that is cancelled before the request starts.
inline Context cancelled_context() {
  std::stop_source source;
  source.request_stop();
  return {{}, source.get_token()};
}

}  // namespace zermelo::app
