#include "cluster/helper.h"

#include <memory>
#include <optional>
#include <utility>

#include "cluster/requests.h"
#include "cluster/root_samples.h"
#include "gdl/read_rules.h"

namespace zermelo::cluster {
namespace {

class Helper {
 public:
  explicit Helper(Channel& channel) : channel_(channel) {}

  void run() {
    while (handle(next_ ? *std::exchange(next_, {}) : channel_.wait(Kind::request))) {
    }
  }

 private:
  // Returns whether more requests will come.
  bool handle(const Message& message) {
    ByteReader reader(message.bytes);
    const auto request = reader.get<Request>();
    if (request == Request::game) prepare(GameRequest::from(reader));
    if (request == Request::playouts && simulator_) play(reader);
    if (request == Request::tree && simulator_) search(reader);
    return request != Request::end;
  }

  void prepare(const GameRequest& request) {
    playouts_.reset();
    uct_.reset();
    simulator_.reset();
    seed_ = request.seed + channel_.rank() * 0x9e3779b97f4a7c15u;
    const auto rules =
        gdl::read_rules(std::make_shared<const base::Source>(request.name, request.rules));
    if (!rules) return;
    auto simulator = search::make_simulator(*rules, {});
    if (simulator && (*simulator)->machine()) simulator_ = std::move(*simulator);
  }

  void play(ByteReader& reader) {
    const auto request = PlayoutRequest::from(reader, simulator_->initial());
    if (!playouts_) playouts_ = simulator_->playouts(seed_);
    search::PlayoutBatch batch;
    playouts_->play(request.states, batch);
    channel_.send(0, Kind::answer, PlayoutAnswer{request.number, std::move(batch.rewards)}.bytes());
  }

  void search(ByteReader& reader) {
    const auto request = TreeRequest::from(reader, simulator_->initial());
    if (!uct_) {
      search::UctOptions options;
      options.seed = seed_;
      uct_ = std::make_unique<search::Uct>(simulator_, options);
    }
    uct_->set_root(request.state);
    RootSamples root(*uct_, request.role);
    bool is_proved = false;
    Slices slices(request.budget);
    for (auto slice = slices.next(); slice && !is_proved && !next_; slice = slices.next()) {
      const search::SearchReport report = uct_->search(*slice);
      slices.used(report);
      is_proved = report.exact.has_value();
      send(request.number, root.take(), false);
      take_samples(request.number, root);
    }
    send(request.number, root.take(), true);
  }

  // Any other request ends the search.
  void take_samples(std::uint64_t number, RootSamples& root) {
    while (!next_) {
      auto message = channel_.next(Kind::request);
      if (!message) return;
      ByteReader reader(message->bytes);
      if (reader.get<Request>() != Request::samples) {
        next_ = std::move(message);
        return;
      }
      const Samples samples = Samples::from(reader);
      if (samples.number == number) root.add(samples);
    }
  }

  void send(std::uint64_t number, Samples samples, bool is_last) {
    samples.number = number;
    samples.is_last = is_last;
    channel_.send(0, Kind::answer, samples.bytes());
  }

  Channel& channel_;
  std::optional<Message> next_;
  std::uint64_t seed_ = 1;
  std::shared_ptr<const search::Simulator> simulator_;
  std::unique_ptr<search::Playouts> playouts_;
  std::unique_ptr<search::Uct> uct_;
};

}  // namespace

void help(Channel& channel) { Helper(channel).run(); }

}  // namespace zermelo::cluster
