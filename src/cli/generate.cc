// generate FAMILY [SIZES], generate --list: prints the rules of scalable games.
#include <fmt/format.h>

#include <memory>

#include "app/json.h"
#include "app/rules.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "families/families.h"

namespace zermelo::cli {
namespace {

struct GenerateOptions {
  std::string family;
  std::vector<std::string> sizes;
  bool list = false;
  bool json = false;
};

constexpr std::size_t summary_column = 30;

// "name sizes   summary; up to largest". After long sizes, the summary is on a separate line.
std::string list_entry(const families::Family& family) {
  const std::string call = fmt::format("{} {}", family.name, family.usage);
  const bool fits = call.size() + 2 <= summary_column;
  return fmt::format("{:<{}}{:<{}}{}; up to {}\n", call, fits ? summary_column : call.size(),
                     fits ? "" : "\n", fits ? 0 : summary_column + 1, family.summary,
                     family.largest);
}

std::string list_families() {
  std::string text;
  for (const families::Family& family : families::list()) text += list_entry(family);
  return text;
}

base::Result<ExitCode> generate(const GenerateOptions& options) {
  if (options.list) {
    write_answer(options.json ? app::to_json(families::list()) + "\n" : list_families());
    return ExitCode::success;
  }
  if (options.family.empty()) return usage_error("missing FAMILY; see `zermelo generate --list`");
  if (options.json) return usage_error("--json needs --list");
  const auto rules = app::generate({options.family, options.sizes});
  if (!rules) return tl::unexpected(rules.error());
  write_answer(*rules);
  return ExitCode::success;
}

Action declare_generate(CLI::App& app) {
  auto options = std::make_shared<GenerateOptions>();
  add_argument(app, "FAMILY", options->family, Presence::optional, "The family of games");
  add_arguments(app, "SIZES", options->sizes, Presence::optional, "The sizes of the game");
  add_flag(app, "--list", options->list, "List the families, their sizes and the largest ones");
  add_json_option(app, options->json);
  return [options] { return generate(*options); };
}

}  // namespace

const Command generate_command = {"generate", "Print the rules of a scalable game in any size",
                                  "zermelo generate connect-four 7 6", declare_generate};

}  // namespace zermelo::cli
