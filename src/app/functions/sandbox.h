// Keeps a program that computes functions from the network.
#pragma once

namespace zermelo::app {

// Whether `enter_sandbox` can work: on this processor, and not ruled out by the system. A thread of
// its own tries it, so this process is not changed.
bool has_sandbox();

// From now on, this process and all that it starts cannot create sockets, cannot leave their
// process group, and cannot read or change other processes. Irrevocable. Needs no privileges.
// Returns 0, or an error number. May be called between fork and exec.
int enter_sandbox();

}  // namespace zermelo::app
