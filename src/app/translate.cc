#include "app/translate.h"

#include <fmt/format.h>

#include <utility>

#include "app/compile.h"
#include "base/limited_steps.h"
#include "gdl/validity.h"
#include "ground/ground.h"
#include "translate/gddl/writer.h"
#include "translate/pddl/faithful.h"
#include "translate/pddl/ground.h"
#include "translate/sas/direct.h"
#include "translate/sas/output.h"
#include "translate/toss/to_toss.h"

namespace zermelo::app {
namespace {

using Files = std::vector<TranslatedFile>;

base::Result<void> check_options(const TranslateRequest& request) {
  const auto wrong = [](const char* message) {
    return base::fail(base::ErrorKind::invalid_request, message);
  };
  const bool is_faithful = request.style == TaskStyle::faithful;
  if (is_faithful && request.target != TargetLanguage::pddl)
    return wrong("the faithful style exists only for pddl");
  if (request.drop_step_counter && request.target != TargetLanguage::sas &&
      (request.target != TargetLanguage::pddl || is_faithful))
    return wrong("step counters can be dropped only for sas and for pddl in the direct style");
  if (!request.keep_derived && request.target != TargetLanguage::gddl)
    return wrong("derived predicates can be compiled away only for gddl");
  if (request.paper_dialect && request.target != TargetLanguage::toss)
    return wrong("only toss has dialects");
  return {};
}

base::Result<translate::sas::Task> direct_task(const TranslateRequest& request,
                                               const base::Limits& limits) {
  if (const auto perfect = gdl::require_perfect_information(*request.rules, "planning"); !perfect) {
    return tl::unexpected(perfect.error());
  }
  const auto game = ground::ground(request.rules, {limits});
  if (!game) return tl::unexpected(game.error());
  translate::sas::DirectOptions options;
  options.drop_step_counter = request.drop_step_counter;
  options.limits = limits;
  return translate::sas::to_task(*game, options);
}

Files pddl_files(translate::pddl::TaskText text) {
  return {{"domain.pddl", std::move(text.domain)}, {"problem.pddl", std::move(text.problem)}};
}

base::Result<Files> to_pddl(const TranslateRequest& request, const base::Limits& limits) {
  if (request.style == TaskStyle::direct) {
    const auto task = direct_task(request, limits);
    if (!task) return tl::unexpected(task.error());
    return pddl_files(translate::pddl::to_ground_pddl(*task));
  }
  translate::pddl::FaithfulOptions options;
  options.limits = limits;
  auto text = translate::pddl::to_faithful_pddl(request.rules, options);
  if (!text) return tl::unexpected(text.error());
  return pddl_files(std::move(*text));
}

base::Result<Files> to_sas(const TranslateRequest& request, const base::Limits& limits) {
  auto task = direct_task(request, limits);
  if (!task) return tl::unexpected(task.error());
  return base::within_limits([&] {
    return Files{{"", translate::sas::to_sas(std::move(*task), limits)}};
  });
}

base::Result<Files> to_gddl(const TranslateRequest& request, const base::Limits& limits) {
  auto text = translate::gddl::to_gddl(request.rules, {request.keep_derived, limits});
  if (!text) return tl::unexpected(text.error());
  return Files{{"", std::move(*text)}};
}

base::Result<Files> to_toss(const TranslateRequest& request, const base::Limits& limits) {
  auto game = ground::ground(request.rules, {limits});
  if (!game) return tl::unexpected(game.error());
  const auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return tl::unexpected(machine.error());
  translate::toss::ToTossOptions options;
  options.limits = limits;
  const auto translation = translate::toss::to_toss(*machine, options);
  if (!translation) return tl::unexpected(translation.error());
  using toss::Dialect;
  return Files{
      {"", print(*translation->game, request.paper_dialect ? Dialect::paper : Dialect::start)}};
}

base::Result<Files> to_cpp(const TranslateRequest& request, const Context& context) {
  auto text = compile({request.rules, request.limits}, context);
  if (!text) return tl::unexpected(text.error());
  return Files{{"", std::move(*text)}};
}

}  // namespace

base::Result<Files> translate(const TranslateRequest& request, const Context& context) {
  if (auto valid = check_options(request); !valid) return tl::unexpected(valid.error());
  if (request.target == TargetLanguage::cpp) return to_cpp(request, context);
  const base::Limits limits = request.limits.start(context);
  context.report("translating");
  auto files = request.target == TargetLanguage::sas    ? to_sas(request, limits)
               : request.target == TargetLanguage::gddl ? to_gddl(request, limits)
               : request.target == TargetLanguage::toss ? to_toss(request, limits)
                                                        : to_pddl(request, limits);
  if (files) return files;
  return base::fail(files.error().kind,
                    fmt::format("{}: {}", request.rules->source->name(), files.error().message));
}

}  // namespace zermelo::app
