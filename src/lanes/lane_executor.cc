#include "lanes/lane_executor.h"

namespace zermelo::lanes {

LaneBackend default_backend() {
  for (const LaneBackend backend : {LaneBackend::avx512, LaneBackend::avx2}) {
    if (is_available(backend)) return backend;
  }
  return LaneBackend::interpreter;
}

void optimise_for(LaneBackend backend, const std::vector<LaneProgram*>& in_order,
                  const std::vector<Value>& kept, Value values) {
  if (backend == LaneBackend::avx512) fuse_operations(in_order, kept, values);
  if (backend != LaneBackend::interpreter) return;
  for (LaneProgram* program : in_order) group_operations(*program);
}

}  // namespace zermelo::lanes
