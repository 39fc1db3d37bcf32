#include "app/experiments/bandit.h"

#include <fmt/format.h>

#include "app/experiments/curves.h"
#include "app/output_folder.h"

namespace zermelo::app {
namespace {

const search::BanditOptions paper;  // the defaults are the numbers of the paper

search::BanditOptions bandit_options(const BanditRequest& request, const search::BanditSetup& setup,
                                     const Context& context) {
  constexpr std::uint32_t papers_tasks_per_model = 200;
  search::BanditOptions options = paper;
  options.seed = request.seed;
  options.tasks = request.tasks.value_or(setup.hand_built ? paper.tasks : papers_tasks_per_model);
  options.stop = context.stop;
  return options;
}

BanditCurves run(const search::BanditSetup& setup, const search::BanditOptions& options) {
  BanditCurves study{setup, {}, {}};
  std::optional<search::Shares> first;
  for (const search::BanditAgent& agent : search::paper_agents(setup)) {
    const search::Shares shares = search::run_models(setup, agent, options);
    if (!first) first = shares;
    study.curves.push_back({agent.name, search::mean_shares(shares, options)});
    study.differences.push_back({agent.name, search::mean_differences(shares, *first, options)});
  }
  return study;
}

std::string file_name(const search::BanditSetup& setup) {
  return setup.hand_built
             ? fmt::format("bandit_hand_built_{}.svg", setup.arms)
             : fmt::format("bandit_random_{}_{}.svg", setup.arms, 100 * setup.winners / setup.arms);
}

}  // namespace

base::Result<BanditStudy> study_bandits(const BanditRequest& request, const Context& context) {
  auto folder = OutputFolder::open(request.folder);
  if (!folder) return tl::unexpected(folder.error());
  context.report("experiment");
  BanditStudy study{paper.every, {}, {}};
  for (const search::BanditSetup& setup : search::paper_setups()) {
    BanditCurves curves = run(setup, bandit_options(request, setup, context));
    if (context.stop.stop_requested()) {
      study.stopped = cancelled_experiment();
      break;
    }
    study.setups.push_back(std::move(curves));
  }
  if (study.setups.empty()) return tl::unexpected(*study.stopped);
  folder->write("bandit.csv", bandit_csv(study));
  for (const BanditCurves& curves : study.setups) {
    folder->write(file_name(curves.setup), bandit_picture(curves));
  }
  study.files = folder->written();
  return study;
}

std::string bandit_csv(const BanditStudy& study) {
  std::string text =
      "setup,arms,winners,agent,samples,right,low,high,more_than_uct,low_of_more,high_of_more\n";
  for (const auto& [setup, curves, differences] : study.setups) {
    for (std::size_t agent = 0; agent < curves.size(); ++agent) {
      const Curve& curve = curves[agent];
      for (std::size_t i = 0; i < curve.points.size(); ++i) {
        text += fmt::format("\"{}\",{},{},{},{},{},{}\n", setup.name, setup.arms, setup.winners,
                            curve.name, (i + 1) * study.every, csv_cells(curve.points[i]),
                            csv_cells(differences[agent].points[i]));
      }
    }
  }
  return text;
}

std::string bandit_picture(const BanditCurves& curves) {
  return svg_of({curves.setup.name + ": how often a winning arm is chosen", "samples",
                 "right answers, with 95% intervals", static_cast<double>(paper.samples),
                 curves.curves});
}

}  // namespace zermelo::app
