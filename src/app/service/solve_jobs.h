// A queue of games to solve. One job runs at a time, in a thread with low priority; its progress is
// a list of events that any number of listeners receive. Jobs that were interrupted by the end of
// the process are found again and resumed.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "app/service/open_game.h"
#include "app/solve.h"

namespace zermelo::app {

struct JobLimits {
  ResourceLimits each = {};  // of one job; the job may have less time
  std::size_t max_queued = 20;
  std::size_t max_finished = 100;                            // older ones are forgotten
  std::uintmax_t max_disk_bytes = std::uintmax_t{20} << 30;  // of all solutions together
};

enum class JobState : std::uint8_t { queued, running, solved, failed, cancelled };
const char* name_of(JobState state);

struct JobView {
  std::uint64_t id = 0;
  std::string game;
  JobState state = JobState::queued;
  std::string progress;              // the current activity in words
  std::optional<base::Error> error;  // of a failed job
  std::string result;                // JSON of app::SolveResult, of a solved job
};

class SolveJobs {
 public:
  // Receives events, each as one JSON object; the last one has a state that is final. Returns
  // whether it wants more. Called by one thread at a time and must not call this object.
  using Listener = std::function<bool(const std::string& event, bool is_last)>;

  // `markers` is the folder in which unfinished jobs are noted; jobs noted there are queued again.
  // The games must outlive this.
  SolveJobs(OpenGames& games, const GameLibrary& library, std::filesystem::path solutions,
            std::filesystem::path markers, const JobLimits& limits);
  // Interrupts the running job, which is resumed by the next process.
  ~SolveJobs();

  // Queues the game, or returns its job if it is queued or running. Fails with invalid_request for
  // an unknown game, and with memory_limit if the queue is full.
  base::Result<JobView> start(const std::string& game,
                              std::optional<std::chrono::duration<double>> time = {});
  // Fails with invalid_request for an unknown job. A finished job stays as it is.
  base::Result<JobView> cancel(std::uint64_t id);
  base::Result<JobView> view(std::uint64_t id) const;
  std::vector<JobView> list() const;
  // The job of the game that was started last, if any is known.
  std::optional<JobView> of_game(const std::string& game) const;
  // Sends all events so far and those to come. Fails with invalid_request for an unknown job.
  base::Result<void> listen(std::uint64_t id, Listener listener);

 private:
  struct Job {
    JobView view;
    std::optional<std::chrono::duration<double>> time;
    std::stop_source stop = {};
    bool is_cancelled = false;
    std::vector<std::string> events = {};
    std::vector<Listener> listeners = {};
  };
  using JobPointer = std::shared_ptr<Job>;

  void run(const std::stop_token& stop);
  JobPointer next_job(const std::stop_token& stop);
  base::Result<SolveResult> solve_game(const JobPointer& job);
  void finish(const JobPointer& job, const base::Result<SolveResult>& solved,
              const std::stop_token& stop);
  void emit(Job& job, std::string event, bool is_last);
  void emit_layer(const JobPointer& job, const solve::SymbolicProgress& layer);
  bool is_disk_full() const;
  JobPointer find(std::uint64_t id) const;
  void note(const std::string& game) const;
  void forget_note(const std::string& game) const;

  OpenGames& games_;
  const GameLibrary& library_;
  std::filesystem::path solutions_, markers_;
  JobLimits limits_;
  mutable std::mutex mutex_;  // guards the members below
  std::condition_variable_any changed_;
  std::list<JobPointer> jobs_;  // the oldest first
  std::uint64_t next_id_ = 1;
  std::jthread thread_;
};

}  // namespace zermelo::app
