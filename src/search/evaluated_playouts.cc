#include "search/evaluated_playouts.h"

namespace zermelo::search {
namespace {

constexpr std::size_t states_at_once = 16;

class EvaluatedPlayouts : public Playouts {
 public:
  EvaluatedPlayouts(std::shared_ptr<const eval::Evaluator> evaluator, float weight,
                    std::unique_ptr<Playouts> playouts, std::size_t roles)
      : evaluator_(std::move(evaluator)),
        weight_(weight),
        playouts_(std::move(playouts)),
        roles_(roles) {}

  std::size_t lanes() const override { return playouts_ ? playouts_->lanes() : states_at_once; }

  void play(std::span<const State> states, PlayoutBatch& batch,
            const std::stop_token& stop) override {
    batch.rewards.assign(states.size() * roles_, 0);
    batch.lines.clear();
    if (playouts_) playouts_->play(states, batch, stop);
    values_.resize(roles_);
    for (std::size_t i = 0; i < states.size(); ++i) {
      // A leaf that gets several random games occurs several times in a row.
      if (i == 0 || states[i] != states[i - 1]) evaluator_->evaluate(states.subspan(i, 1), values_);
      for (std::size_t role = 0; role < roles_; ++role) {
        float& reward = batch.rewards[i * roles_ + role];
        reward = (1 - weight_) * reward + weight_ * values_[role] / 100;
      }
    }
  }

 private:
  std::shared_ptr<const eval::Evaluator> evaluator_;
  float weight_;
  std::unique_ptr<Playouts> playouts_;
  std::size_t roles_;
  std::vector<float> values_;  // by role
};

}  // namespace

std::unique_ptr<Playouts> evaluated_playouts(std::shared_ptr<const eval::Evaluator> evaluator,
                                             float weight, std::unique_ptr<Playouts> playouts,
                                             std::size_t roles) {
  if (weight >= 1) playouts = nullptr;
  return std::make_unique<EvaluatedPlayouts>(std::move(evaluator), weight, std::move(playouts),
                                             roles);
}

}  // namespace zermelo::search
