#include "app/plot.h"

#include "solve/folder/plot.h"

namespace zermelo::app {

base::Result<PlotResult> plot(const PlotRequest& request) {
  const solve::SolutionFolder folder(request.folder);
  const auto manifest = folder.manifest();
  if (!manifest) return tl::unexpected(manifest.error());
  const auto description = folder.description();
  if (!description) return tl::unexpected(description.error());
  if (description->solution_concept) {
    return base::fail(base::ErrorKind::not_applicable,
                      "a solution with equilibria has no states by value to draw");
  }
  return PlotResult{solve::plot(*description, *manifest, request.title)};
}

}  // namespace zermelo::app
