// Functions of rules that programs and libraries on this machine compute (gdl/functions.h).
//
// Nothing runs unless a person names it: the rules only name modules. Both kinds run as a process
// of their own (function_process.h); a library is loaded by `run_function_host` in that process.
#pragma once

#include <string>
#include <vector>

#include "app/functions/function_process.h"
#include "app/rules.h"

namespace zermelo::app {

// What a person allowed: the module NAME of the rules is computed by the file PATH.
struct AllowedModule {
  std::string name;
  std::string path;
};

// Reads NAME=PATH. Fails with invalid_request.
base::Result<AllowedModule> allowed_module_of(const std::string& text);

struct FunctionOptions {
  FunctionLimits limits = {};
  std::string host = {};  // a program that runs `run_function_host`, for libraries
};

// Starts what is allowed and returns the same rules with it; the rules if nothing is allowed. The
// processes end with the last copy of the rules, or with the calling thread. Fails with
// invalid_request if the rules include no such program or library, with unreadable_input if it
// cannot be started, and with not_applicable if the system cannot keep it from the network.
base::Result<Rules> with_functions(const Rules& rules, const std::vector<AllowedModule>& allowed,
                                   const FunctionOptions& options);

// The first argument of a program that is to call `run_function_host` with the second one.
inline constexpr const char* function_host_command = "function-host";

// Loads the shared object and answers the questions on standard input until it ends. Returns the
// exit code.
int run_function_host(const std::string& path);

}  // namespace zermelo::app
