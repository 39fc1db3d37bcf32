#include "solve/hidden/hidden_solver.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error_name.h"
#include "base/quantities.h"
#include "solve/hidden/cfr_plus.h"
#include "solve/hidden/one_player.h"
#include "solve/hidden/sequence_program.h"

namespace zermelo::solve {
namespace {

// A solution of the linear program with a larger exploitability is not accepted.
constexpr double program_precision = 1e-9;
// Rational arithmetic is tried up to this number of sequences.
constexpr std::size_t exact_up_to = 200;

std::size_t sequences_of(const SequenceForm& form) { return form.sequences(0) + form.sequences(1); }

class HiddenSolver {
 public:
  HiddenSolver(SequenceForm form, const HiddenOptions& options)
      : form_(std::move(form)), options_(options) {}

  base::Result<HiddenSolution> run() {
    if (form_.players() == 1) return solve_alone();
    const bool is_free = options_.algorithm == Algorithm::automatic;
    const bool is_small = sequences_of(form_) <= program_up_to;
    if (options_.algorithm == Algorithm::sequence_form || (is_free && is_small)) {
      if (auto pair = solve_program()) {
        return answer(std::move(*pair), Algorithm::sequence_form,
                      is_free ? "at most " + base::counted(program_up_to, "sequence") : "");
      }
      if (const auto limit = options_.limits.exceeded())
        return tl::unexpected(base::limit_error(*limit, "during the linear program"));
      if (!is_free) {
        return base::fail(base::ErrorKind::not_applicable,
                          "the linear program of this game is numerically too hard");
      }
    }
    return iterate(!is_free   ? ""
                   : is_small ? "the linear program failed"
                              : "more than " + base::counted(program_up_to, "sequence"));
  }

 private:
  base::Result<HiddenSolution> solve_alone() {
    if (options_.algorithm != Algorithm::automatic && options_.algorithm != Algorithm::retrograde) {
      return base::fail(base::ErrorKind::not_applicable,
                        "with one player the algorithm is retrograde");
    }
    auto exact = solve_one_player(form_, options_.limits);
    if (!exact) return tl::unexpected(exact.error());
    PlanPair pair = with_bounds(form_, {std::move(exact->plan), {1.0}});
    auto solution = answer(std::move(pair), Algorithm::retrograde, "one player");
    solution->exact_value = std::move(exact->value);
    return solution;
  }

  std::optional<PlanPair> solve_program() const {
    using Arithmetic = LinearProgram::Arithmetic;
    const double wanted = program_precision * std::max(form_.range(), 1.0);
    auto pair = solve_sequence_program(form_, Arithmetic::floating, options_.limits);
    if ((!pair || pair->exploitability() > wanted) && sequences_of(form_) <= exact_up_to)
      pair = solve_sequence_program(form_, Arithmetic::exact, options_.limits);
    if (pair && pair->exploitability() > wanted) pair.reset();
    return pair;
  }

  base::Result<HiddenSolution> iterate(const std::string& reason) {
    CfrPlus cfr(form_);
    const double wanted = std::max(options_.precision * form_.range(), 4 * form_.rounding_error());
    for (;;) {
      if (const auto limit = run_until_check(cfr)) {
        const PlanPair pair = with_bounds(form_, cfr.average());
        return tl::unexpected(base::limit_error(*limit, progress_text(cfr, pair)));
      }
      PlanPair pair = with_bounds(form_, cfr.average());
      options_.progress(cfr.iterations(), pair.exploitability());
      if (pair.exploitability() > wanted) continue;
      iterations_ = cfr.iterations();
      return answer(std::move(pair), Algorithm::cfr_plus, reason);
    }
  }

  // Best responses cost as much as an iteration, so they are computed less and less often.
  std::optional<base::ErrorKind> run_until_check(CfrPlus& cfr) const {
    const std::uint64_t end = cfr.iterations() + std::max<std::uint64_t>(8, cfr.iterations() / 8);
    while (cfr.iterations() < end) {
      if (const auto limit = options_.limits.exceeded()) return limit;
      cfr.iterate();
    }
    return std::nullopt;
  }

  std::string progress_text(const CfrPlus& cfr, const PlanPair& pair) const {
    return fmt::format("after {} of CFR+; the value of {} is between {:.4f} and {:.4f}",
                       base::counted(cfr.iterations(), "iteration"),
                       form_.developments().agent_name(0), form_.offset() + pair.low,
                       form_.offset() + pair.high);
  }

  base::Result<HiddenSolution> answer(PlanPair pair, Algorithm algorithm, std::string reason) {
    return HiddenSolution{std::move(form_),  std::move(pair), algorithm,
                          std::move(reason), iterations_,     {}};
  }

  SequenceForm form_;
  const HiddenOptions& options_;
  std::uint64_t iterations_ = 0;
};

}  // namespace

base::Result<HiddenSolution> solve_hidden(std::shared_ptr<const machine::Machine> machine,
                                          const HiddenOptions& options) {
  auto form = SequenceForm::make(std::move(machine), options.model, options.limits);
  if (!form) return tl::unexpected(form.error());
  return HiddenSolver(std::move(*form), options).run();
}

}  // namespace zermelo::solve
