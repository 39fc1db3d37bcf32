// Ranks that mpirun starts. The only header about MPI outside mpi/.
#pragma once

#include <memory>

#include "base/result.h"
#include "cluster/transport.h"

namespace zermelo::cluster {

// Whether this process is a rank other than 0 of an MPI job. Known before the job is joined.
bool is_secondary_rank();
// The number of ranks of the job on this machine; 1 without a job.
std::size_t ranks_here();

// Joins the MPI job that this process was started in; without mpirun, a job of one rank. The job is
// left when the transport is destroyed, for which every rank waits for all others. May be called
// once. Fails with not_applicable if the program was built without MPI.
base::Result<std::unique_ptr<Transport>> join_mpi();

}  // namespace zermelo::cluster
