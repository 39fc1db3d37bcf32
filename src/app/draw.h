// Positions as SVG pictures.
//
// Every cell is <g class="cell" data-cell="ID"> with a <title>, every token in it is
// <g class="token" data-token="NAME">; the IDs are those of analysis::Picture. Colours are CSS
// custom properties with a light and a dark set of values, which the picture carries itself: a
// stand-alone file follows the viewer's setting, and a page that embeds it may set the properties
// (--board, --line, --ink, ...; docs/explanation/drawing.md lists them).
#pragma once

#include <cstdint>
#include <string>

#include "analysis/picture.h"
#include "analysis/scene.h"
#include "app/context.h"
#include "app/rules.h"
#include "base/result.h"

namespace zermelo::app {

struct SvgOptions {
  std::string title = {};  // above the picture; empty: none
  // A background and the colours as a <style> element. Without it, the picture is transparent and
  // takes its colours from the page, whose style sheet must contain picture_style().
  bool standalone = true;
  bool lists = true;  // also draw turn, counters, hands and other fluents, below the boards
};

// The picture as one <svg> element, ending in a newline. The same picture gives the same text.
std::string picture_as_svg(const analysis::Picture& picture, const SvgOptions& options = {});

// The CSS rules and custom properties of the pictures, for pages that embed them.
std::string picture_style();

// Either `rules` or `folder`.
struct DrawRequest {
  Rules rules = nullptr;
  std::string folder = {};  // of a stored solution; empty: `rules`
  // The moves that lead to the position, one per step, by the player to move; none: the initial
  // one.
  std::string moves = {};
  // Then so many random joint moves, or fewer if the game ends.
  std::uint64_t random_moves = 0;
  std::uint64_t seed = 1;
  SvgOptions svg = {};
  ResourceLimits limits = {};
};

// The position as SVG. Fails like position_after (app/position.h), with unreadable_input for a
// folder without a solution, and at a limit. Games that are too large to ground are drawn by the
// reference engine.
base::Result<std::string> draw(const DrawRequest& request, const Context& context = {});

}  // namespace zermelo::app
