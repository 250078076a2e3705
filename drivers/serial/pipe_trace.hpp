/// Listens to both directions of a pipe, for `log_level trace`: one log line for each line of the dialogue.
///
/// PINs are masked, PDUs and long numbers shortened, since no secret, no text and no full number belongs into
/// a log.
/// Threads: those of the pipe.
#pragma once

#include "drivers/serial/byte_pipe.hpp"
#include "src/base/log.hpp"

#include <memory>
#include <string>

namespace smsrack::serial {

/// The same pipe, listened to. `modem`: the name in the log lines; `log` outlives the pipe.
[[nodiscard]] std::unique_ptr<BytePipe> traced(std::unique_ptr<BytePipe> pipe, std::string modem,
                                               Log& log);

}  // namespace smsrack::serial
