// Follows a match with hidden information (GDL-II) and finds moves, in a thread of its own. The
// player knows the rules, its own moves and its percepts; the manager never sends more.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "gdl/rulesheet.h"
#include "play/hidden_agent.h"
#include "serve/thinker.h"

namespace zermelo::serve {

// What a PLAY says.
struct HiddenTurn {
  std::optional<int> number;  // from 0; nullopt: not said
  std::string own_move;       // in the turn before; empty: not said, or there was none
  std::vector<std::string> percepts;
};

class HiddenThinker {
 public:
  // Accepts any role; problem() reports what is wrong with it or with the rules.
  HiddenThinker(std::shared_ptr<const gdl::Rulesheet> rules, std::string role,
                ThinkerOptions options);
  // Cancels the thread and joins it.
  ~HiddenThinker();

  // Waits until the game can be played, there is a problem, or the deadline has passed.
  void wait(Clock::time_point deadline, const std::stop_token& stop);
  // Returns why the match cannot be played; empty if no reason is known.
  std::string problem() const;

  // Returns the move of a turn. The search ends at the deadline. Returns at `latest` in any case,
  // with some legal move, or with no_move if none is known by then. A turn that has the number of
  // the one before gets the same answer.
  std::string answer(HiddenTurn turn, Clock::time_point deadline, Clock::time_point latest,
                     const std::stop_token& stop);

 private:
  struct Question {
    HiddenTurn turn;
    Clock::time_point deadline;
  };

  void run(const std::stop_token& stop);
  void prepare(const std::stop_token& stop);
  std::optional<Question> next_question(const std::stop_token& stop);
  void process(const Question& question);
  void observe(const HiddenTurn& turn);
  std::optional<play::Move> own_move(const std::string& name) const;
  std::vector<play::Move> legal_moves() const;
  void publish(const std::string& move, bool is_final);
  void refuse(const std::string& problem);

  const std::shared_ptr<const gdl::Rulesheet> rules_;
  const std::string role_name_;
  const ThinkerOptions options_;
  // Used by the thread only.
  std::shared_ptr<const machine::Machine> machine_;
  std::size_t role_ = 0;
  std::unordered_map<std::string, base::Percept> percepts_;  // of the role, by name
  std::unique_ptr<play::HiddenAgent> agent_;
  int turns_ = 0;            // processed
  std::string last_answer_;  // in the last of them

  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable_any changed_;
  std::string problem_;
  bool is_ready_ = false;
  std::deque<Question> questions_;
  std::size_t asked_ = 0, answered_ = 0;
  std::string move_ = no_move;  // the best known in the turn being processed

  std::jthread thread_;
};

}  // namespace zermelo::serve
