// Translates each file to Toss and compares both games along random games. For the table over a
// whole collection (bench/toss_table.py); the tests run a short one.
//
//   toss_bijection [--terms] GAMES SECONDS FILE...
//
// takes at most SECONDS for each translation and again for each comparison, and prints a line per
// file, separated by tabs: the file; "ok", "DIFFERENCE", "slow" (fewer games), "refused" or
// "limit"; the construction; elements, relations, rules; seconds to translate; games and states
// compared; the restriction that is not met or the difference. Exits with 1 when there is a
// difference.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>

#include "ground/ground.h"
#include "support/load.h"
#include "translate/toss/bijection.h"

namespace {

using namespace zermelo;
using Clock = std::chrono::steady_clock;

base::Limits limits_of(double seconds) {
  return base::Limits(std::chrono::duration<double>(seconds), std::size_t{4} << 30);
}

bool refuse(const std::string& file, const base::Error& error) {
  const char* kind = base::is_limit(error.kind) ? "limit" : "refused";
  std::cout << file << "\t" << kind << "\t\t\t\t\t\t\t\t" << error.message << std::endl;
  return true;
}

bool report(const std::string& file, std::size_t games, double seconds, bool only_terms) {
  const auto begin = Clock::now();
  const base::Limits limits = limits_of(seconds);
  auto game = ground::ground(testing::rulesheet_file(file), {limits});
  if (!game) return refuse(file, game.error());
  const auto machine = machine::Machine::make(std::move(*game), limits);
  if (!machine) return refuse(file, machine.error());
  translate::toss::ToTossOptions options;
  options.limits = limits;
  options.only_terms = only_terms;
  options.paper_seconds = std::chrono::duration<double>(seconds / 5);
  options.mutex_seconds = std::chrono::duration<double>(seconds / 8);
  const auto translation = translate::toss::to_toss(*machine, options);
  if (!translation) return refuse(file, translation.error());
  const std::chrono::duration<double> taken = Clock::now() - begin;
  translate::toss::BijectionOptions comparison;
  comparison.games = games;
  comparison.limits = limits_of(seconds);
  const auto compared = check_bijection(*machine, *translation, comparison);
  const char* kind = compared.difference ? "DIFFERENCE" : compared.stopped ? "slow" : "ok";
  std::cout << file << "\t" << kind << "\t" << name_of(translation->construction) << "\t"
            << translation->elements << "\t" << translation->relations << "\t" << translation->rules
            << "\t" << taken.count() << "\t" << compared.games << "\t" << compared.states << "\t"
            << compared.difference.value_or("") << std::endl;
  return !compared.difference;
}

}  // namespace

int main(int count, char** arguments) {
  const bool only_terms = count > 1 && std::string(arguments[1]) == "--terms";
  if (only_terms) {
    ++arguments;
    --count;
  }
  if (count < 4) {
    std::cerr << "usage: toss_bijection [--terms] GAMES SECONDS FILE...\n";
    return 2;
  }
  bool same = true;
  for (int i = 3; i < count; ++i) {
    try {
      same = report(arguments[i], std::strtoull(arguments[1], nullptr, 10), std::atof(arguments[2]),
                    only_terms) &&
             same;
    } catch (const std::exception& problem) {
      std::cout << arguments[i] << "\tunreadable\t\t\t\t\t\t\t\t" << problem.what() << std::endl;
    }
  }
  return same ? 0 : 1;
}
