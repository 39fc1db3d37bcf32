// The ranks other than 0 of a search: they do what rank 0 requests until it says that it is done.
#pragma once

#include "cluster/channel.h"

namespace zermelo::cluster {

// Requires that rank 0 uses a Team (team.h) of the same channel.
void help(Channel& channel);

}  // namespace zermelo::cluster
