// The agents of the paper play one playout per simulation and do not prove values; RAVE and MAST
// are measured in the same way. The last agent is the player of the program, with batches of
// playouts and proved values. It gets ten times as many simulations, which take about the same
// time.
#include "app/experiments/position.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "app/experiments/curves.h"
#include "app/output_folder.h"
#include "base/source.h"
#include "families/families.h"
#include "gdl/read_rules.h"
#include "play/agent.h"
#include "search/position_study.h"

namespace zermelo::app {
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

base::Result<search::TestPosition> make_position(bool sliced) {
  const auto text = families::generate("breakthrough", {"8", "8"});
  if (!text) return tl::unexpected(text.error());
  const auto rules = gdl::read_rules(std::make_shared<const base::Source>("breakthrough", *text));
  if (!rules) return tl::unexpected(rules.error());
  search::SimulatorOptions options;
  options.sliced = sliced;
  const auto simulator = search::make_simulator(*rules, options);
  if (!simulator) return tl::unexpected(simulator.error());
  const auto position = search::breakthrough_position(*simulator);
  if (!position) return base::fail(base::ErrorKind::not_applicable, "cannot ground the game");
  return *position;
}

search::StudyOptions study_options(const PositionRequest& request, const Context& context) {
  search::StudyOptions options;
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  options.trials = request.trials.value_or(options.trials);
  options.threads = std::max(1u, request.threads.value_or(cores));
  options.seed = request.seed;
  options.stop = context.stop;
  return options;
}

base::Result<PositionCurve> measure(const Candidate& candidate, search::StudyOptions options) {
  options.simulations *= candidate.factor();
  options.every *= candidate.factor();
  const auto position = make_position(!candidate.as_in_paper);
  if (!position) return tl::unexpected(position.error());
  play::AgentSpec spec;
  spec.variant = candidate.variant;
  search::UctOptions agent =
      play::uct_options(spec, {position->simulator, position->role, options.seed});
  agent.proofs = !candidate.as_in_paper;
  return PositionCurve{{candidate.name, search::how_often_solved(*position, agent, options)},
                       options.every};
}

base::Result<PositionStudy> measure_all(const search::StudyOptions& options,
                                        const Context& context) {
  PositionStudy study{options.trials, options.simulations, options.every, {}, {}};
  for (const Candidate& candidate : candidates()) {
    context.report(candidate.name);
    auto measured = measure(candidate, options);
    if (!measured) return tl::unexpected(measured.error());
    if (context.stop.stop_requested()) {
      study.stopped = cancelled_experiment();
      break;
    }
    study.agents.push_back(std::move(*measured));
  }
  if (study.agents.empty()) return tl::unexpected(*study.stopped);
  return study;
}

}  // namespace

base::Result<PositionStudy> study_position(const PositionRequest& request, const Context& context) {
  auto folder = OutputFolder::open(request.folder);
  if (!folder) return tl::unexpected(folder.error());
  auto study = measure_all(study_options(request, context), context);
  if (!study) return study;
  folder->write("position.csv", position_csv(*study));
  folder->write("position.svg", position_picture(*study));
  study->files = folder->written();
  return study;
}

std::string position_csv(const PositionStudy& study) {
  std::string text = "agent,simulations,right,low,high\n";
  for (const auto& [curve, every] : study.agents) {
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      text += fmt::format("{},{},{}\n", curve.name, (i + 1) * every, csv_cells(curve.points[i]));
    }
  }
  return text;
}

std::string position_picture(const PositionStudy& study) {
  Chart chart{"Breakthrough, a5-a6 wins: how often it is found",
              "simulations",
              "trials, with 95% intervals",
              static_cast<double>(study.simulations),
              {}};
  for (const PositionCurve& agent : study.agents) chart.curves.push_back(agent.curve);
  return svg_of(chart);
}

}  // namespace zermelo::app
