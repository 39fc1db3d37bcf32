#include "app/planners/attempt.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "app/planners/child_process.h"
#include "app/temporary_folder.h"
#include "app/write_file.h"
#include "base/limited_steps.h"
#include "base/source.h"
#include "translate/pddl/faithful.h"
#include "translate/pddl/ground.h"
#include "translate/plan_reader.h"
#include "translate/sas/direct.h"
#include "translate/sas/output.h"

namespace zermelo::app {
namespace {

namespace fs = std::filesystem;

struct TaskFiles {
  std::vector<std::pair<const char*, std::string>> texts;  // by file name
  translate::Glossary glossary;
  bool may_be_too_long = false;  // its plans
};

TaskFiles pddl_task(translate::pddl::TaskText text) {
  return {{{domain_file, std::move(text.domain)}, {problem_file, std::move(text.problem)}},
          std::move(text.glossary)};
}

base::Result<TaskFiles> faithful_files(const AttemptRequest& request) {
  auto text = translate::pddl::to_faithful_pddl(
      request.rules, {request.task.aim, request.task.least_reward, request.limits});
  if (!text) return tl::unexpected(text.error());
  return pddl_task(std::move(*text));
}

base::Result<TaskFiles> direct_files(const AttemptRequest& request) {
  translate::sas::DirectOptions options;
  options.aim = request.task.aim;
  options.least_reward = request.task.least_reward;
  options.drop_step_counter = request.task.drop_step_counter;
  options.groups = &request.groups;
  options.limits = request.limits;
  auto task = translate::sas::to_task(request.game, options);
  if (!task) return tl::unexpected(task.error());
  TaskFiles files;
  if (request.task.as_sas) {
    auto text = base::within_limits([&] { return translate::sas::to_sas(*task, request.limits); });
    if (!text) return tl::unexpected(text.error());
    files.texts = {{sas_file, std::move(*text)}};
    files.glossary = std::move(task->glossary);
  } else {
    files = pddl_task(translate::pddl::to_ground_pddl(*task));
  }
  files.may_be_too_long = !task->step_counter.empty();
  return files;
}

base::Result<TaskFiles> task_files(const AttemptRequest& request) {
  return request.task.style == TaskStyle::faithful ? faithful_files(request)
                                                   : direct_files(request);
}

class Attempt {
 public:
  Attempt(const AttemptRequest& request, BestPlan& best, const fs::path& folder)
      : request_(request), best_(best), folder_(folder) {}

  base::Result<AttemptEnd> run() {
    auto files = task_files(request_);
    if (!files) return tl::unexpected(files.error());
    files_ = std::move(*files);
    for (const auto& [name, text] : files_.texts) {
      if (auto written = write_file((folder_ / name).string(), text); !written)
        return tl::unexpected(written.error());
    }
    const auto end = run_child(command(), request_.limits);
    if (!end) return tl::unexpected(end.error());
    const auto offered = offer_plan();
    // A planner that was stopped may have been writing.
    if (!offered && end->how != ChildEnd::How::stopped) return tl::unexpected(offered.error());
    return offered && *offered ? **offered : without_plan(*end);
  }

 private:
  ChildCommand command() const {
    const PlannerCommand& command = request_.command;
    return {command.arguments, folder_, command.input.empty() ? "" : folder_ / command.input,
            request_.memory_bytes};
  }

  tl::unexpected<base::Error> fail(const std::string& message) const {
    return base::fail(base::ErrorKind::not_applicable,
                      fmt::format("the planner {} {}", request_.command.planner, message));
  }

  // The plan's file, or the last one of a planner that improves its plans.
  std::optional<fs::path> last_plan() const {
    std::optional<fs::path> last;
    std::error_code ignored;
    if (fs::exists(folder_ / plan_file, ignored)) last = folder_ / plan_file;
    for (int number = 1;; ++number) {
      const fs::path numbered = folder_ / fmt::format("{}.{}", plan_file, number);
      if (!fs::exists(numbered, ignored)) return last;
      last = numbered;
    }
  }

  // Nothing if there is no plan; otherwise whether it counts.
  base::Result<std::optional<AttemptEnd>> offer_plan() {
    const auto file = last_plan();
    if (!file) return std::nullopt;
    const auto text = base::read_source(file->string());
    if (!text) return fail("wrote a plan that cannot be read: " + text.error().message);
    const base::Source plan("plan of " + request_.command.planner, std::string(text->text()));
    const auto moves = translate::read_plan(plan, files_.glossary);
    if (!moves) return fail("wrote a wrong plan: " + moves.error().message);
    const auto reward = best_.offer(request_.command.planner, *moves);
    if (!reward) {
      if (files_.may_be_too_long && best_.ends_before(*moves)) return AttemptEnd::exhausted;
      return tl::unexpected(reward.error());
    }
    return check_reward(*reward);
  }

  base::Result<std::optional<AttemptEnd>> check_reward(int reward) {
    const int promised = request_.task.least_reward;
    if (reward < promised && !files_.may_be_too_long) {
      return fail(fmt::format("wrote a wrong plan: its reward is {}, but the task asks for {}",
                              reward, promised));
    }
    if (request_.command.proves == Proves::optimality) best_.lower_bound_to(reward);
    return AttemptEnd::found;
  }

  base::Result<AttemptEnd> without_plan(const ChildEnd& end) {
    if (end.how == ChildEnd::How::stopped) return AttemptEnd::stopped;
    if (end.how != ChildEnd::How::exited) return fail(description(end));
    const bool is_known = request_.command.has_exit_codes;
    if (is_known && end.code >= 20 && end.code <= 24) return AttemptEnd::out_of_memory;
    const bool is_exhausted = is_known ? end.code >= 10 && end.code <= 13 : end.code == 0;
    if (!is_exhausted) return fail(description(end) + ", and found no plan");
    if (request_.command.proves != Proves::nothing && !files_.may_be_too_long)
      best_.lower_bound_to(disproved_reward() - 1);
    return AttemptEnd::exhausted;
  }

  // The least reward that no plan has.
  int disproved_reward() const {
    return request_.task.aim == translate::Aim::maximum ? request_.game.goals[0].back().value
                                                        : request_.task.least_reward;
  }

  const AttemptRequest& request_;
  BestPlan& best_;
  const fs::path& folder_;
  TaskFiles files_;
};

}  // namespace

base::Result<AttemptEnd> run_attempt(const AttemptRequest& request, BestPlan& best) {
  const auto folder = TemporaryFolder::make();
  if (!folder) return tl::unexpected(folder.error());
  return Attempt(request, best, folder->path()).run();
}

}  // namespace zermelo::app
