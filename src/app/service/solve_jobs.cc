#include "app/service/solve_jobs.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "app/json.h"
#include "app/json/values.h"
#include "app/write_file.h"

namespace zermelo::app {
namespace {

constexpr int low_priority = 10;
constexpr std::size_t max_events = 5'000;  // of one job; later layers replace the last event

bool is_final(JobState state) { return state != JobState::queued && state != JobState::running; }

std::string state_event(const JobView& job) {
  Json event = {{"type", "state"}, {"state", name_of(job.state)}};
  if (job.error) {
    event["error"] = {{"kind", base::name_of(job.error->kind)}, {"message", job.error->message}};
  }
  if (!job.result.empty()) event["result"] = Json::parse(job.result);
  return one_line(event);
}

std::string layer_event(const solve::SymbolicProgress& layer) {
  Json event = {{"type", "layer"},        {"direction", layer.backward ? "backward" : "forward"},
                {"layer", layer.layer},   {"layers", layer.layers},
                {"states", layer.states}, {"nodes", layer.nodes}};
  if (layer.left) {
    event["forecast"] = {{"layers", layer.left->layers},
                         {"seconds", layer.left->seconds},
                         {"disk_bytes", layer.left->disk_bytes},
                         {"peak_bytes", layer.left->peak_bytes}};
  }
  return one_line(event);
}

base::Error unknown_job() { return {base::ErrorKind::invalid_request, "there is no such job"}; }

std::uintmax_t bytes_of(const std::filesystem::path& folder) {
  std::uintmax_t total = 0;
  std::error_code failure;
  for (std::filesystem::recursive_directory_iterator it(folder, failure), end; it != end;
       it.increment(failure)) {
    if (failure) break;
    if (const auto size = it->file_size(failure); !failure) total += size;
  }
  return total;
}

// Errors are shown to visitors, who need not know where files are.
base::Error without_paths(base::Error error, const std::filesystem::path& folder) {
  const std::string path = folder.string();
  for (std::size_t at = error.message.find(path); at != std::string::npos;
       at = error.message.find(path)) {
    error.message.replace(at, path.size(), "the solution");
  }
  return error;
}

}  // namespace

const char* name_of(JobState state) {
  constexpr const char* names[] = {"queued", "running", "solved", "failed", "cancelled"};
  return names[static_cast<std::size_t>(state)];
}

SolveJobs::SolveJobs(OpenGames& games, const GameLibrary& library, std::filesystem::path solutions,
                     std::filesystem::path markers, const JobLimits& limits)
    : games_(games),
      library_(library),
      solutions_(std::move(solutions)),
      markers_(std::move(markers)),
      limits_(limits) {
  std::error_code ignored;
  std::filesystem::create_directories(solutions_, ignored);
  std::filesystem::create_directories(markers_, ignored);
  std::vector<std::string> interrupted;
  for (const auto& file : std::filesystem::directory_iterator(markers_, ignored)) {
    interrupted.push_back(file.path().filename().string());
  }
  std::sort(interrupted.begin(), interrupted.end());
  for (const std::string& game : interrupted) {
    if (!start(game)) forget_note(game);
  }
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

SolveJobs::~SolveJobs() {
  thread_.request_stop();
  const std::lock_guard lock(mutex_);
  for (const JobPointer& job : jobs_) job->stop.request_stop();
}

base::Result<JobView> SolveJobs::start(const std::string& game,
                                       std::optional<std::chrono::duration<double>> time) {
  if (const auto known = library_.text(game); !known) return tl::unexpected(known.error());
  const std::lock_guard lock(mutex_);
  std::size_t open = 0, finished = 0;
  for (const JobPointer& job : jobs_) {
    if (is_final(job->view.state)) {
      ++finished;
      continue;
    }
    if (job->view.game == game && !job->is_cancelled) return job->view;
    ++open;
  }
  if (open >= limits_.max_queued) {
    return base::fail(base::ErrorKind::memory_limit, "too many games wait to be solved");
  }
  if (finished >= limits_.max_finished) {
    jobs_.erase(std::find_if(jobs_.begin(), jobs_.end(),
                             [](const JobPointer& job) { return is_final(job->view.state); }));
  }
  auto job = std::make_shared<Job>();
  job->view.id = next_id_++;
  job->view.game = game;
  job->time = time;
  emit(*job, state_event(job->view), false);
  jobs_.push_back(job);
  note(game);
  changed_.notify_all();
  return job->view;
}

base::Result<JobView> SolveJobs::cancel(std::uint64_t id) {
  const std::lock_guard lock(mutex_);
  const JobPointer job = find(id);
  if (!job) return tl::unexpected(unknown_job());
  if (is_final(job->view.state)) return job->view;
  job->is_cancelled = true;
  job->stop.request_stop();
  if (job->view.state == JobState::queued) {
    job->view.state = JobState::cancelled;
    forget_note(job->view.game);
    emit(*job, state_event(job->view), true);
  }
  return job->view;
}

base::Result<JobView> SolveJobs::view(std::uint64_t id) const {
  const std::lock_guard lock(mutex_);
  const JobPointer job = find(id);
  if (!job) return tl::unexpected(unknown_job());
  return job->view;
}

std::vector<JobView> SolveJobs::list() const {
  const std::lock_guard lock(mutex_);
  std::vector<JobView> views;
  for (const JobPointer& job : jobs_) views.push_back(job->view);
  return views;
}

std::optional<JobView> SolveJobs::of_game(const std::string& game) const {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(jobs_.rbegin(), jobs_.rend(),
                                  [&](const JobPointer& job) { return job->view.game == game; });
  return found == jobs_.rend() ? std::nullopt : std::optional((*found)->view);
}

base::Result<void> SolveJobs::listen(std::uint64_t id, Listener listener) {
  const std::lock_guard lock(mutex_);
  const JobPointer job = find(id);
  if (!job) return tl::unexpected(unknown_job());
  const bool is_over = is_final(job->view.state);
  for (std::size_t i = 0; i < job->events.size(); ++i) {
    if (!listener(job->events[i], is_over && i + 1 == job->events.size())) return {};
  }
  if (!is_over) job->listeners.push_back(std::move(listener));
  return {};
}

void SolveJobs::run(const std::stop_token& stop) {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), low_priority);
  while (const JobPointer job = next_job(stop)) finish(job, solve_game(job), stop);
}

SolveJobs::JobPointer SolveJobs::next_job(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  JobPointer found;
  changed_.wait(lock, stop, [&] {
    for (const JobPointer& job : jobs_) {
      if (!found && job->view.state == JobState::queued) found = job;
    }
    return found != nullptr;
  });
  if (!found || stop.stop_requested()) return nullptr;
  found->view.state = JobState::running;
  emit(*found, state_event(found->view), false);
  return found;
}

base::Result<SolveResult> SolveJobs::solve_game(const JobPointer& job) {
  const Context context{[this, job](std::string activity) {
                          const std::lock_guard lock(mutex_);
                          job->view.progress = std::move(activity);
                        },
                        job->stop.get_token()};
  if (is_disk_full()) {
    return base::fail(base::ErrorKind::unwritable_output, "there is no room for more solutions");
  }
  const auto game = games_.get(job->view.game, context);
  if (!game) return tl::unexpected(game.error());
  SolveRequest request;
  request.rules = (*game)->rules();
  request.folder = (*game)->solution_folder().string();
  request.limits = limits_.each;
  if (job->time && (!request.limits.time || *job->time < *request.limits.time)) {
    request.limits.time = job->time;
  }
  // One core is left for the visitors.
  request.threads = std::max(1u, std::thread::hardware_concurrency() - 1);
  bool is_full = false;
  request.on_layer = [&](const solve::SymbolicProgress& layer) {
    emit_layer(job, layer);
    if (!is_full && is_disk_full()) {
      is_full = true;
      job->stop.request_stop();
    }
  };
  try {
    auto solved = solve(request, context);
    if (solved || !is_full) return solved;
  } catch (const std::bad_alloc&) {
    return base::fail(base::ErrorKind::memory_limit, "there is not enough memory");
  }
  return base::fail(base::ErrorKind::unwritable_output, "there is no room for more solutions");
}

void SolveJobs::finish(const JobPointer& job, const base::Result<SolveResult>& solved,
                       const std::stop_token& stop) {
  const std::lock_guard lock(mutex_);
  if (!solved && stop.stop_requested()) return;  // the note stays: the next process resumes
  if (solved) {
    SolveResult shown = *solved;
    shown.folder.clear();
    job->view.state = JobState::solved;
    job->view.result = to_json(shown);
  } else {
    job->view.state = job->is_cancelled ? JobState::cancelled : JobState::failed;
    if (!job->is_cancelled) job->view.error = without_paths(solved.error(), solutions_);
  }
  forget_note(job->view.game);
  emit(*job, state_event(job->view), true);
}

void SolveJobs::emit(Job& job, std::string event, bool is_last) {
  std::erase_if(job.listeners, [&](const Listener& listener) { return !listener(event, is_last); });
  if (is_last) job.listeners.clear();
  if (job.events.size() >= max_events) job.events.pop_back();
  job.events.push_back(std::move(event));
}

void SolveJobs::emit_layer(const JobPointer& job, const solve::SymbolicProgress& layer) {
  const std::lock_guard lock(mutex_);
  emit(*job, layer_event(layer), false);
}

bool SolveJobs::is_disk_full() const { return bytes_of(solutions_) > limits_.max_disk_bytes; }

SolveJobs::JobPointer SolveJobs::find(std::uint64_t id) const {
  const auto found = std::find_if(jobs_.begin(), jobs_.end(),
                                  [&](const JobPointer& job) { return job->view.id == id; });
  return found == jobs_.end() ? nullptr : *found;
}

void SolveJobs::note(const std::string& game) const { std::ofstream(markers_ / game) << '\n'; }

void SolveJobs::forget_note(const std::string& game) const {
  std::error_code ignored;
  std::filesystem::remove(markers_ / game, ignored);
}

}  // namespace zermelo::app
