// The job of a request that runs on several machines: processes that mpirun started with the same
// command line. All of them call the same functions; the results are complete on rank 0, which is
// the only one to show them.
#pragma once

#include <memory>

#include "app/context.h"
#include "app/rules.h"
#include "base/result.h"
#include "cluster/channel.h"
#include "cluster/transport.h"

namespace zermelo::app {

class Job {
 public:
  explicit Job(std::unique_ptr<cluster::Transport> transport)
      : transport_(std::move(transport)), channel_(*transport_) {}

  cluster::Channel& channel() { return channel_; }
  bool is_main() const { return transport_->rank() == 0; }

 private:
  std::unique_ptr<cluster::Transport> transport_;
  cluster::Channel channel_;
};

// Whether this process is a rank that shows nothing. Known before it joins its job.
bool is_silent_rank();

// Joins the job of mpirun. Fails with not_applicable if the program was built without MPI.
base::Result<std::shared_ptr<Job>> join_job();

// All ranks get the rules that rank 0 has read, or its error. What other ranks pass is ignored.
base::Result<Rules> share_rules(Job& job, const base::Result<Rules>& rules);

// The limits, with a default memory limit that is divided among the ranks on this machine.
ResourceLimits share_of_machine(const ResourceLimits& limits);

}  // namespace zermelo::app
