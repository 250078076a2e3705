/// Descriptors that systemd keeps for the service: its listening socket (socket activation), and
/// what a run leaves for the next start (the file descriptor store).
///
/// What is stored is a hand-over without clients: its text in a sealed memory file, its descriptors
/// by place. It is taken out of the store before anything is done with it, so that after a crash no
/// process begins with a state that is too old.
/// Threads: the main thread, before others are started or after they have ended.
/// Errors:  protocol: what was stored can't be read; then the service starts without a hand-over.
/// Source:  sd_listen_fds(3), sd_notify(3) (FDSTORE), systemd.socket(5).
#pragma once

#include "drivers/serial/owned_fd.hpp"
#include "firmware-host/process/listen_fds.hpp"
#include "firmware-host/process/systemd_notify.hpp"
#include "firmware-host/upgrade/hand_over.hpp"
#include "src/base/result.hpp"

#include <string>
#include <utility>
#include <vector>

namespace smsrack::host {

/// What of them is a hand-over, and the listening socket of a socket unit, under whatever name.
[[nodiscard]] Result<HandOver> hand_over_of(NamedFds fds);

/// Leaves it to the next start; false: systemd keeps nothing for us.
bool store(SystemdNotify& systemd, const HandOver& hand_over);
/// What was stored is used up.
void forget_stored(SystemdNotify& systemd, const HandOver& hand_over);

}  // namespace smsrack::host
