// Tree parallelisation after Mehat and Cazenave, "Tree Parallelization of Ary on a Cluster"
// (Algorithms 1 to 3). Rank 0, their Player, holds the tree and descends it; the others, their
// Subplayers, receive states instead of move sequences, play random games and return the results.
// As in the paper, a request goes to the first rank in a fixed order that is available.
//
// What differs: a request is a batch. The machine plays 256 games at once, so a descent leads to
// some leaves, and the batch has several games from each (search/uct.cc). Each rank has two batches
// at a time, so that it does not wait for messages. The descents are those of Uct with several
// threads: a thread that waits for a batch of another rank needs no processor, and the virtual loss
// of threads counts what is in flight. Rank 0 runs playouts as well, which the paper's Player does
// not; `main_plays` switches that off.
//
// Whichever thread waits for an answer takes in those of all. A rank that does not answer in time
// is left out, its batch is played by rank 0, and when its answer arrives it is asked again.

#include "cluster/team.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "gdl/printer.h"

namespace zermelo::cluster {
namespace {

using Clock = std::chrono::steady_clock;
using search::Playouts;
using search::State;

// Playouts of the other ranks; of this process if none is available.
class SharedPlayouts : public Playouts {
 public:
  SharedPlayouts(Team& team, std::unique_ptr<Playouts> own) : team_(team), own_(std::move(own)) {}

  std::size_t lanes() const override { return own_->lanes(); }
  void play(std::span<const State> states, search::PlayoutBatch& batch,
            const std::stop_token& stop) override {
    auto rewards = team_.play(states, stop);
    if (!rewards) return own_->play(states, batch, stop);
    batch.rewards = std::move(*rewards);
    batch.lines.clear();
    batch.made = nullptr;
  }

 private:
  Team& team_;
  std::unique_ptr<Playouts> own_;
};

// The playouts of rank 0, which are counted.
class CountedPlayouts : public Playouts {
 public:
  CountedPlayouts(Team& team, std::unique_ptr<Playouts> own) : team_(team), own_(std::move(own)) {}

  std::size_t lanes() const override { return own_->lanes(); }
  void play(std::span<const State> states, search::PlayoutBatch& batch,
            const std::stop_token& stop) override {
    own_->play(states, batch, stop);
    team_.count_own(states.size());
  }

 private:
  Team& team_;
  std::unique_ptr<Playouts> own_;
};

// The simulator of this process, with other playouts.
class SpreadSimulator : public search::Simulator {
 public:
  SpreadSimulator(Team& team, Team::SimulatorPointer simulator, bool main_plays)
      : team_(team), simulator_(std::move(simulator)), main_plays_(main_plays) {}

  const std::vector<std::string>& roles() const override { return simulator_->roles(); }
  State initial() const override { return simulator_->initial(); }
  std::unique_ptr<search::Walker> walker() const override { return simulator_->walker(); }
  std::unique_ptr<Playouts> playouts(std::uint64_t seed) const override {
    auto own = simulator_->playouts(seed);
    if (made_++ == 0 && main_plays_)
      return std::make_unique<CountedPlayouts>(team_, std::move(own));
    return std::make_unique<SharedPlayouts>(team_, std::move(own));
  }
  std::unique_ptr<Playouts> recorded_playouts(std::uint64_t seed) const override {
    return simulator_->recorded_playouts(seed);
  }
  std::string move_name(search::Move move) const override { return simulator_->move_name(move); }
  std::vector<std::string> fluent_names(const State& state) const override {
    return simulator_->fluent_names(state);
  }
  bool parallel() const override { return simulator_->parallel(); }
  std::vector<int> goal_values(std::size_t role) const override {
    return simulator_->goal_values(role);
  }
  const lanes::SlicedCode* sliced() const override { return simulator_->sliced(); }
  std::shared_ptr<const machine::Machine> machine() const override { return simulator_->machine(); }

 private:
  Team& team_;
  Team::SimulatorPointer simulator_;
  bool main_plays_;
  mutable std::atomic<unsigned> made_ = 0;
};

}  // namespace

Team::~Team() {
  const std::lock_guard lock(mutex_);
  ByteWriter writer;
  writer.put(Request::end);
  const Bytes end = writer.take();
  for (std::size_t rank = 1; rank < size(); ++rank) channel_.send(rank, Kind::request, end);
}

void Team::prepare(const gdl::Rulesheet& rules, std::uint64_t seed) {
  const std::lock_guard lock(mutex_);
  const GameRequest request{++game_, seed, rules.source->name(), std::string(rules.source->text())};
  for (std::size_t rank = 1; rank < size(); ++rank) {
    channel_.send(rank, Kind::request, request.bytes());
  }
}

Team::SimulatorPointer Team::spread(SimulatorPointer simulator) {
  return std::make_shared<SpreadSimulator>(*this, std::move(simulator), options_.main_plays);
}

unsigned Team::workers() const {
  const auto others = static_cast<unsigned>(channel_.size() - 1) * options_.batches_ahead;
  return std::max(others + (options_.main_plays ? 1 : 0), 1u);
}

std::vector<Work> Team::take_work() {
  const std::lock_guard lock(mutex_);
  std::vector<Work> work;
  for (Rank& rank : ranks_) work.push_back(std::exchange(rank.work, {}));
  if (!options_.main_plays) work.erase(work.begin());
  return work;
}

void Team::count_own(std::size_t playouts) {
  const std::lock_guard lock(mutex_);
  ranks_[0].work.playouts += playouts;
  ++ranks_[0].work.batches;
}

// The first idle rank, or else the first that can take another batch.
std::optional<std::size_t> Team::available_rank() const {
  for (unsigned pending = 0; pending < options_.batches_ahead; ++pending) {
    for (std::size_t rank = 1; rank < ranks_.size(); ++rank) {
      if (!ranks_[rank].is_lost && ranks_[rank].pending == pending) return rank;
    }
  }
  return std::nullopt;
}

// The mutex must be held.
void Team::take_answers() {
  while (const auto message = channel_.next(Kind::answer)) {
    ByteReader reader(message->bytes);
    if (reader.get<Request>() != Request::playouts) continue;  // of a search that is over
    PlayoutAnswer answer = PlayoutAnswer::from(reader);
    Rank& rank = ranks_[message->from];
    --rank.pending;
    rank.is_lost = false;
    const auto found = waiting_.find(answer.number);
    if (found == waiting_.end()) continue;
    found->second = std::move(answer.rewards);
  }
}

// A rank that usually answers fast is not waited for until a move is late.
Team::Seconds Team::patience_with(const Rank& rank) const {
  constexpr Seconds least{0.02};
  if (rank.slowest == Seconds(0)) return options_.patience;
  return std::min(options_.patience, 4 * rank.slowest + least);
}

std::optional<std::vector<float>> Team::play(std::span<const State> states,
                                             const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  take_answers();
  const auto rank = available_rank();
  if (!rank) return std::nullopt;
  const std::uint64_t number = ++last_number_;
  std::vector<float>& answer = waiting_[number];
  ++ranks_[*rank].pending;
  ++ranks_[*rank].work.batches;
  channel_.send(*rank, Kind::request, PlayoutRequest::bytes(number, states));
  const auto begin = Clock::now();
  const Seconds patience = patience_with(ranks_[*rank]);
  while (answer.empty() && !stop.stop_requested() && Clock::now() - begin < patience) {
    lock.unlock();
    std::this_thread::sleep_for(std::chrono::microseconds(20));
    lock.lock();
    take_answers();
  }
  std::vector<float> rewards = std::move(answer);
  waiting_.erase(number);
  Rank& asked = ranks_[*rank];
  if (!rewards.empty()) {
    asked.work.playouts += states.size();
    asked.slowest = std::max(asked.slowest, Seconds(Clock::now() - begin));
    return rewards;
  }
  if (!stop.stop_requested()) {
    asked.is_lost = true;
    ++asked.work.lost;
  }
  return std::nullopt;
}

void Team::search(TreeRequest request) {
  const std::lock_guard lock(mutex_);
  search_number_ = request.number = ++last_number_;
  for (std::size_t rank = 1; rank < size(); ++rank) {
    channel_.send(rank, Kind::request, request.bytes());
  }
}

void Team::send_samples(std::size_t rank, const Samples& samples) {
  const std::lock_guard lock(mutex_);
  channel_.send(rank, Kind::request, samples.request());
}

std::optional<Team::Arrived> Team::next_samples() {
  const std::lock_guard lock(mutex_);
  while (const auto message = channel_.next(Kind::answer)) {
    ByteReader reader(message->bytes);
    if (reader.get<Request>() != Request::tree) continue;
    Samples samples = Samples::from(reader);
    if (samples.number == search_number_) return Arrived{message->from, std::move(samples)};
  }
  return std::nullopt;
}

}  // namespace zermelo::cluster
