// Retrograde analysis across ranks: solve::evaluate and solve::distances on the parts of a graph.
#pragma once

#include <vector>

#include "base/limits.h"
#include "base/result.h"
#include "cluster/graph_part.h"
#include "solve/explicit/distance.h"
#include "solve/explicit/retrograde.h"

namespace zermelo::cluster {

// Both are called by all ranks, and return the values or distances of the states of this rank. They
// fail on all ranks, as solve::evaluate and solve::distances do.
base::Result<solve::GraphValues> evaluate(Channel& channel, const GraphPart& part,
                                          solve::OpponentModel model, const base::Limits& limits);
base::Result<std::vector<solve::Distance>> distances(Channel& channel, const GraphPart& part,
                                                     const solve::GraphValues& values,
                                                     const base::Limits& limits);

}  // namespace zermelo::cluster
