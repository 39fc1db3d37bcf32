// The agents of the paper play one playout a simulation and prove nothing, as theirs did; RAVE and
// MAST are measured in the same way. The last is what the program plays: batches of playouts, and
// proved values. It is asked after ten times as many simulations, for which it needs about as long.
#include "cli/experiment_position.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/source.h"
#include "cli/json_output.h"
#include "cli/output.h"
#include "cli/svg_chart.h"
#include "cli/write_file.h"
#include "families/families.h"
#include "gdl/parser.h"
#include "play/agent.h"
#include "search/position_study.h"

namespace zermelo::cli {
namespace {

struct Candidate {
  std::string name;
  play::Variant variant;
  bool as_in_paper = true;

  std::uint32_t factor() const { return as_in_paper ? 1 : 10; }  // of simulations
};

std::vector<Candidate> candidates() {
  std::vector<Candidate> result(6);
  result[0].name = "UCT";
  result[1].name = "ST";
  result[1].variant.sufficiency = true;
  result[2].name = "MA";
  result[2].variant.moving_average = true;
  result[3].name = "RAVE";
  result[3].variant.rave = true;
  result[4].name = "MAST";
  result[4].variant.mast = true;
  result[5].name = "zermelo x10";
  result[5].as_in_paper = false;
  return result;
}

base::Result<search::Riddle> make_riddle(bool sliced) {
  const auto rules = families::generate("breakthrough", {"8", "8"});
  if (!rules) return tl::unexpected(rules.error());
  auto parsed = gdl::parse(std::make_shared<const base::Source>("breakthrough", *rules));
  search::EngineOptions options;
  options.sliced = sliced;
  const auto engine = search::make_engine(
      std::make_shared<const gdl::Rulesheet>(std::move(parsed.rulesheet)), options);
  if (!engine) return tl::unexpected(engine.error());
  const auto riddle = search::breakthrough_riddle(*engine);
  if (!riddle) return base::fail(base::ErrorKind::not_applicable, "the game was not grounded");
  return *riddle;
}

search::StudyOptions study_options(const PositionStudy& options) {
  search::StudyOptions result;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  if (options.trials)
    result.trials = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, *options.trials));
  result.threads = std::max(1u, static_cast<unsigned>(options.threads.value_or(cores)));
  result.seed = options.seed;
  return result;
}

base::Result<Curve> measure(const Candidate& candidate, search::StudyOptions options) {
  options.simulations *= candidate.factor();
  options.every *= candidate.factor();
  const auto riddle = make_riddle(!candidate.as_in_paper);
  if (!riddle) return tl::unexpected(riddle.error());
  play::AgentSpec spec;
  spec.variant = candidate.variant;
  search::UctOptions agent = play::uct_options(spec, {riddle->engine, riddle->role, options.seed});
  agent.proofs = !candidate.as_in_paper;
  return Curve{candidate.name, search::how_often_solved(*riddle, agent, options)};
}

std::string csv(const std::vector<Curve>& curves, std::uint32_t every) {
  std::string text = "agent,simulations,right,half_width\n";
  for (std::size_t c = 0; c < curves.size(); ++c) {
    const std::uint32_t step = every * candidates()[c].factor();
    for (std::size_t i = 0; i < curves[c].points.size(); ++i) {
      const base::Interval& point = curves[c].points[i];
      text += fmt::format("{},{},{:.4f},{:.4f}\n", curves[c].name, (i + 1) * step, point.mean,
                          point.half_width);
    }
  }
  return text;
}

std::string table(const std::vector<Curve>& curves, std::uint32_t every) {
  constexpr std::uint32_t places[] = {100, 500, 1'000, 2'000, 3'000};
  std::vector<std::string> titles = {"agent"};
  for (const std::uint32_t place : places) titles.push_back(fmt::format("{}", place));
  std::vector<std::vector<std::string>> rows;
  for (const Curve& curve : curves) {
    rows.push_back({curve.name});
    for (const std::uint32_t place : places) {
      const base::Interval& point = curve.points[place / every - 1];
      rows.back().push_back(
          fmt::format("{:.1f}+-{:.2g}", 100 * point.mean, 100 * point.half_width));
    }
  }
  return columns(titles, rows);
}

nlohmann::ordered_json as_json(const std::vector<Curve>& curves, std::uint32_t every) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const Curve& curve : curves) {
    nlohmann::ordered_json right = nlohmann::ordered_json::array(), widths = right;
    for (const base::Interval& point : curve.points) {
      right.push_back(point.mean);
      widths.push_back(point.half_width);
    }
    const std::uint32_t step = every * candidates()[list.size()].factor();
    list.push_back(
        {{"agent", curve.name}, {"every", step}, {"right", right}, {"half_widths", widths}});
  }
  return {{"curves", list}};
}

}  // namespace

base::Result<ExitCode> run_position_study(const PositionStudy& options) {
  const search::StudyOptions study = study_options(options);
  std::vector<Curve> curves;
  {
    ProgressLine progress(options.progress, "experiment");
    for (const Candidate& candidate : candidates()) {
      progress.say(candidate.name);
      auto curve = measure(candidate, study);
      if (!curve) return tl::unexpected(curve.error());
      curves.push_back(std::move(*curve));
    }
  }
  auto written = write_file(options.folder, "position.csv", csv(curves, study.every));
  if (written) {
    written = write_file(options.folder, "position.svg",
                         svg({"Breakthrough, a5-a6 wins: how often it is named", "simulations",
                              double(study.every), double(study.simulations), curves}));
  }
  if (!written) return tl::unexpected(written.error());
  if (options.json) {
    write_json(as_json(curves, study.every));
  } else {
    write_answer("The winning move named, in percent of " + counted(study.trials, "trial") +
                 ", after so many simulations:\n" + table(curves, study.every));
  }
  return ExitCode::success;
}

}  // namespace zermelo::cli
