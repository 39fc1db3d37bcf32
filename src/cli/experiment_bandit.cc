#include "cli/experiment_bandit.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/json_output.h"
#include "cli/output.h"
#include "cli/svg_chart.h"
#include "cli/write_file.h"
#include "search/bandit.h"

namespace zermelo::cli {
namespace {

struct Study {
  search::BanditSetup setup;
  std::vector<Curve> curves;       // by agent
  std::vector<Curve> differences;  // from the first agent
};

search::BanditOptions bandit_options(const BanditStudy& options, const search::BanditSetup& setup) {
  constexpr std::uint32_t papers_tasks = 1'000, papers_tasks_per_model = 200;
  search::BanditOptions result;
  result.seed = options.seed;
  result.tasks = static_cast<std::uint32_t>(
      options.tasks.value_or(setup.hand_built ? papers_tasks : papers_tasks_per_model));
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
      "setup,arms,winners,agent,samples,right,half_width,more_than_uct,half_width_of_more\n";
  for (const Study& study : studies) {
    for (std::size_t agent = 0; agent < study.curves.size(); ++agent) {
      const Curve& curve = study.curves[agent];
      for (std::size_t i = 0; i < curve.points.size(); ++i) {
        const base::Interval& more = study.differences[agent].points[i];
        text += fmt::format("\"{}\",{},{},{},{},{:.4f},{:.4f},{:.4f},{:.4f}\n", study.setup.name,
                            study.setup.arms, study.setup.winners, curve.name,
                            (i + 1) * search::BanditOptions().every, curve.points[i].mean,
                            curve.points[i].half_width, more.mean, more.half_width);
      }
    }
  }
  return text;
}

std::string picture(const Study& study) {
  const search::BanditOptions defaults;
  return svg({study.setup.name + ": how often a winning arm is named", "samples",
              static_cast<double>(defaults.every), static_cast<double>(defaults.samples),
              study.curves});
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
      nlohmann::ordered_json right = nlohmann::ordered_json::array(), widths = right;
      for (const base::Interval& point : curve.points) {
        right.push_back(point.mean);
        widths.push_back(point.half_width);
      }
      curves.push_back({{"setup", study.setup.name},
                        {"arms", study.setup.arms},
                        {"winners", study.setup.winners},
                        {"agent", curve.name},
                        {"right", right},
                        {"half_widths", widths}});
    }
  }
  return {{"every", search::BanditOptions().every}, {"curves", curves}};
}

// Right answers in percent after some numbers of samples.
std::string table(const std::vector<Study>& studies) {
  constexpr std::size_t places[] = {9, 49, 99, 199, 299};
  std::vector<std::string> titles = {"setup", "agent"};
  for (const std::size_t place : places) titles.push_back(fmt::format("{}", (place + 1) * 10));
  std::vector<std::vector<std::string>> rows;
  for (const Study& study : studies) {
    for (const Curve& curve : study.curves) {
      rows.push_back({study.setup.name, curve.name});
      for (const std::size_t place : places) {
        const base::Interval& point = curve.points[place];
        rows.back().push_back(
            fmt::format("{:.1f}+-{:.2g}", 100 * point.mean, 100 * point.half_width));
      }
    }
  }
  return columns(titles, rows);
}

}  // namespace

base::Result<ExitCode> run_bandit_study(const BanditStudy& options) {
  std::vector<Study> studies;
  {
    const ProgressLine progress(options.progress, "experiment");
    for (const search::BanditSetup& setup : search::paper_setups()) {
      studies.push_back(run(options, setup));
    }
  }
  auto written = write_file(options.folder, "bandit.csv", csv(studies));
  for (const Study& study : studies) {
    if (written) written = write_file(options.folder, file_name(study.setup), picture(study));
  }
  if (!written) return tl::unexpected(written.error());
  if (options.json) {
    write_json(as_json(studies));
    return ExitCode::success;
  }
  write_answer("Right answers in percent after so many samples:\n" + table(studies));
  return ExitCode::success;
}

}  // namespace zermelo::cli
