#include "cli/experiment_bandit.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/experiment_curves.h"
#include "cli/json_output.h"
#include "cli/output.h"
#include "cli/output_folder.h"
#include "search/bandit.h"

namespace zermelo::cli {
namespace {

constexpr search::BanditOptions paper;  // its numbers are the defaults

struct Study {
  search::BanditSetup setup;
  std::vector<Curve> curves;       // by agent
  std::vector<Curve> differences;  // from the first agent
};

search::BanditOptions bandit_options(const BanditStudy& options, const search::BanditSetup& setup) {
  constexpr std::uint32_t papers_tasks_per_model = 200;
  search::BanditOptions result = paper;
  result.seed = options.seed;
  result.tasks = static_cast<std::uint32_t>(
      options.tasks.value_or(setup.hand_built ? paper.tasks : papers_tasks_per_model));
  return result;
}

Study run(const BanditStudy& options, const search::BanditSetup& setup) {
  const search::BanditOptions study_options = bandit_options(options, setup);
  Study study{setup, {}, {}};
  std::optional<search::Shares> first;
  for (const search::BanditAgent& agent : search::paper_agents(setup)) {
    const search::Shares shares = search::run_models(setup, agent, study_options);
    if (!first) first = shares;
    study.curves.push_back({agent.name, search::mean_shares(shares, study_options)});
    study.differences.push_back(
        {agent.name, search::mean_differences(shares, *first, study_options)});
  }
  return study;
}

std::string csv(const std::vector<Study>& studies) {
  std::string text =
      "setup,arms,winners,agent,samples,right,low,high,more_than_uct,low_of_more,high_of_more\n";
  for (const Study& study : studies) {
    for (std::size_t agent = 0; agent < study.curves.size(); ++agent) {
      const Curve& curve = study.curves[agent];
      for (std::size_t i = 0; i < curve.points.size(); ++i) {
        text +=
            fmt::format("\"{}\",{},{},{},{},{},{}\n", study.setup.name, study.setup.arms,
                        study.setup.winners, curve.name, (i + 1) * paper.every,
                        csv_cells(curve.points[i]), csv_cells(study.differences[agent].points[i]));
      }
    }
  }
  return text;
}

std::string picture(const Study& study) {
  return svg({study.setup.name + ": how often a winning arm is named", "samples",
              static_cast<double>(paper.samples), study.curves});
}

std::string file_name(const search::BanditSetup& setup) {
  return setup.hand_built
             ? fmt::format("bandit_hand_built_{}.svg", setup.arms)
             : fmt::format("bandit_random_{}_{}.svg", setup.arms, 100 * setup.winners / setup.arms);
}

nlohmann::ordered_json as_json(const std::vector<Study>& studies) {
  nlohmann::ordered_json curves = nlohmann::ordered_json::array();
  for (const Study& study : studies) {
    for (const Curve& curve : study.curves) {
      curves.push_back({{"setup", study.setup.name},
                        {"arms", study.setup.arms},
                        {"winners", study.setup.winners},
                        {"agent", curve.name}});
      add_points(curves.back(), curve.points);
    }
  }
  return {{"every", paper.every}, {"curves", curves}};
}

std::string as_text(const std::vector<Study>& studies) {
  constexpr std::uint32_t samples[] = {100, 500, 1'000, 3'000};
  std::string text = "Right answers in percent after so many samples, with 95% intervals:\n";
  for (const Study& study : studies) {
    text += "\n" + study.setup.name + "\n" + curve_table(study.curves, paper.every, samples);
  }
  return text;
}

}  // namespace

base::Result<ExitCode> run_bandit_study(const BanditStudy& options) {
  auto folder = OutputFolder::open(options.folder);
  if (!folder) return tl::unexpected(folder.error());
  std::vector<Study> studies;
  {
    const ProgressLine progress(options.progress, "experiment");
    for (const search::BanditSetup& setup : search::paper_setups()) {
      studies.push_back(run(options, setup));
    }
  }
  folder->write("bandit.csv", csv(studies));
  for (const Study& study : studies) folder->write(file_name(study.setup), picture(study));
  if (options.json) {
    write_json(as_json(studies));
  } else {
    write_answer(as_text(studies));
  }
  return folder->end(ExitCode::success);
}

}  // namespace zermelo::cli
