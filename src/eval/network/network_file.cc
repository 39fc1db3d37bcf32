#include "eval/network/network_file.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "gdl/printer.h"

namespace zermelo::eval::network {
namespace {

constexpr std::string_view header = "zermelo network";
constexpr int version = 1;
constexpr std::string_view start_names[] = {"correct", "noise"};

// The shortest digits that are read back exactly.
template <class Number>
void append(std::string& text, Number number, char end) {
  char digits[64];
  const auto written = std::to_chars(digits, digits + sizeof digits, number);
  text.append(digits, written.ptr);
  text += end;
}

// Reads words separated by white space. After the first failure everything fails.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  bool failed() const { return failed_; }
  std::string_view next() {
    const std::size_t begin = std::min(text_.find_first_not_of(" \n\r\t", position_), text_.size());
    const std::size_t end = std::min(text_.find_first_of(" \n\r\t", begin), text_.size());
    position_ = end;
    failed_ = failed_ || begin == end;
    return text_.substr(begin, end - begin);
  }
  void expect(std::string_view word) { failed_ = next() != word || failed_; }

  template <class Number>
  Number number(int base = 10) {
    const std::string_view word = next();
    Number value{};
    std::from_chars_result read;
    if constexpr (std::is_floating_point_v<Number>) {
      read = std::from_chars(word.data(), word.data() + word.size(), value);
      failed_ = failed_ || !std::isfinite(value);
    } else {
      read = std::from_chars(word.data(), word.data() + word.size(), value, base);
    }
    failed_ = failed_ || read.ec != std::errc() || read.ptr != word.data() + word.size();
    return failed_ ? Number{} : value;
  }
  // A number after its name.
  template <class Number>
  Number named(std::string_view name, int base = 10) {
    expect(name);
    return number<Number>(base);
  }

 private:
  std::string_view text_;
  std::size_t position_ = 0;
  bool failed_ = false;
};

Start read_start(Words& words) {
  words.expect("start");
  const std::string_view word = words.next();
  if (word == start_names[1]) return Start::noise;
  if (word != start_names[0]) words.expect(start_names[0]);
  return Start::correct;
}

TrainingProgress read_progress(Words& words) {
  TrainingProgress progress;
  progress.rounds = words.named<std::uint64_t>("rounds");
  progress.games = words.named<std::uint64_t>("games");
  progress.positions = words.named<std::uint64_t>("positions");
  progress.seconds = words.named<double>("seconds");
  const auto size = words.named<std::size_t>("curve");
  const auto per_point = words.number<std::uint64_t>(), in_last = words.number<std::uint64_t>();
  std::vector<LearningCurve::Point> points;
  for (std::size_t i = 0; i < size && !words.failed(); ++i) {
    const auto step = words.number<std::uint64_t>(), positions = words.number<std::uint64_t>();
    points.push_back({step, positions, words.number<double>()});
  }
  progress.curve = LearningCurve(std::move(points), per_point, in_last);
  return progress;
}

void read_weights(Words& words, GameNetwork& network) {
  network.optimiser.set_steps(words.named<std::uint64_t>("steps"));
  const std::span<float> weights = network.network.parameters();
  if (words.named<std::size_t>("parameters") != weights.size()) return words.expect("");
  for (std::size_t i = 0; i < weights.size() && !words.failed(); ++i) {
    weights[i] = words.number<float>();
    network.optimiser.mean()[i] = words.number<float>();
    network.optimiser.square()[i] = words.number<float>();
  }
  words.expect("end");
}

}  // namespace

std::uint64_t signature(const gdl::Rulesheet& rules) {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (const char c : gdl::print(rules, gdl::Syntax::prefix)) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  }
  return hash;
}

std::string write(const GameNetwork& network) {
  const TrainingProgress& progress = network.progress;
  const LearningCurve& curve = progress.curve;
  std::string text = fmt::format(
      "{} {}\nrules {:016x}\nhidden {}\nstart {}\nseed {}\nrounds {}\ngames {}\npositions {}\n",
      header, version, signature(*network.machine->game().rulesheet), network.options.hidden,
      start_names[static_cast<std::size_t>(network.options.start)], network.options.seed,
      progress.rounds, progress.games, progress.positions);
  text += "seconds ";
  append(text, progress.seconds, '\n');
  text += fmt::format("curve {} {} {}\n", curve.points().size(), curve.rounds_per_point(),
                      curve.rounds_in_last());
  for (const LearningCurve::Point& point : curve.points()) {
    append(text, point.step, ' ');
    append(text, point.positions, ' ');
    append(text, point.error, '\n');
  }
  const std::span<const float> weights = network.network.parameters();
  text += fmt::format("steps {}\nparameters {}\n", network.optimiser.steps(), weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    append(text, weights[i], ' ');
    append(text, network.optimiser.mean()[i], ' ');
    append(text, network.optimiser.square()[i], '\n');
  }
  return text + "end\n";
}

base::Result<GameNetwork> read(std::shared_ptr<const machine::Machine> machine,
                               std::string_view text, const std::string& name) {
  const auto broken = [&] {
    return base::fail(base::ErrorKind::unreadable_input,
                      fmt::format("'{}' is not a network of this version, or is damaged", name));
  };
  Words words(text);
  words.expect("zermelo");
  words.expect("network");
  if (words.number<int>() != version) return broken();
  const auto rules = words.named<std::uint64_t>("rules", 16);
  if (words.failed()) return broken();
  if (rules != signature(*machine->game().rulesheet)) {
    return base::fail(base::ErrorKind::not_applicable,
                      fmt::format("'{}' is the network of another game", name));
  }
  NetworkOptions options;
  options.hidden = words.named<std::size_t>("hidden");
  options.start = read_start(words);
  options.seed = words.named<std::uint64_t>("seed");
  TrainingProgress progress = read_progress(words);
  if (words.failed()) return broken();
  auto network = GameNetwork::make(std::move(machine), options);
  if (!network) return network;
  network->progress = std::move(progress);
  read_weights(words, *network);
  if (words.failed()) return broken();
  return network;
}

base::Result<GameNetwork> open(std::shared_ptr<const machine::Machine> machine,
                               const std::string& path) {
  const auto source = base::read_source(path);
  if (!source) return tl::unexpected(source.error());
  return read(std::move(machine), source->text(), path);
}

}  // namespace zermelo::eval::network
