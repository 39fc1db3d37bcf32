#include "cli/run.h"

int main(int argc, char** argv) { return zermelo::cli::run(argc, argv); }
