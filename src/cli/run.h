// The command line: reads the arguments, calls the subcommand, returns the exit code.
#pragma once

namespace zermelo::cli {

int run(int argc, char** argv);

}  // namespace zermelo::cli
