//! Commands without MPI: each is one process.

use roundel::{Error, Result};

use super::CommandOutcome;
use super::film::FilmArguments;
use super::render::RenderArguments;

/// Refuses to draw as one of several processes: all would do the same.
pub(super) fn render(_: &RenderArguments) -> Result<Option<CommandOutcome>> {
    refuse_several_processes()
}

/// Refuses to draw a film as one of several processes.
pub(super) fn film(_: &FilmArguments) -> Result<Option<CommandOutcome>> {
    refuse_several_processes()
}

fn refuse_several_processes() -> Result<Option<CommandOutcome>> {
    if std::env::var("OMPI_COMM_WORLD_SIZE").or(std::env::var("PMI_SIZE")).is_ok_and(|size| size != "1") {
        return Err(Error::setting("mpirun", "needs a roundel that was built with `--features mpi`"));
    }
    Ok(None)
}
