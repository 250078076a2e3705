/// Everything that one run of the service hands over to the next: another version of the program,
/// the same program with another configuration, or this one again if the other could not adopt it.
///
/// The store is not in it: it is closed by then, and its lock is passed on.
/// Time:    steady times are of the machine, so they hold in another process of the same boot.
/// Source:  docs/decisions/0018-hand-over.md; [EBAS] lossless upgrade.
#pragma once

#include "drivers/gsm/gsm_modem.hpp"
#include "drivers/serial/owned_fd.hpp"
#include "src/base/clock.hpp"
#include "src/base/members.hpp"
#include "src/config/modem_settings.hpp"
#include "src/dispatch/cooling.hpp"
#include "src/line/line_carried.hpp"
#include "src/notify/front_end_carried.hpp"
#include "src/overload/load_carried.hpp"
#include "src/ports/condition_carried.hpp"
#include "src/scaling/learned_rate.hpp"
#include "src/wire/http_exchange.hpp"
#include "src/wire/http_session.hpp"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace smsrack::host {

/// A line whose modem is set up. One that is not has nothing to leave: the next run begins with its port.
struct LineHandOver {
    std::string name = {};
    std::string path = {};  ///< of the port, as configured
    std::uint32_t baud = 0;
    serial::OwnedFd port = {};
    gsm::ModemCarried modem = {};
    line::LineCarried line = {};
    std::uint32_t fast_baud = 0;
    SMSRACK_MEMBERS(name, path, baud, port, modem, line);
    SMSRACK_LATER_MEMBERS(fast_baud);

    /// The line of this modem, at the same port with the same rates: it continues as it is.
    [[nodiscard]] bool continues(const config::ModemSettings& settings) const {
        return name == settings.name && path == settings.port && baud == settings.line.baud &&
               fast_baud == settings.line.fast_baud;
    }
};

/// How long switching on the radio of a line took the last time.
struct WakeCarried {
    std::string line = {};
    std::chrono::nanoseconds took = {};
    SMSRACK_MEMBERS(line, took);
};

/// What the rack has learnt while it ran, and no row says. Without it the next run judges as after a crash.
struct RackLearned {
    /// how fast they send, and the refused messages that wait
    std::vector<overload::GroupCarried> groups = {};
    std::vector<dispatch::CoolingCarried> cooling = {};
    scaling::RateCarried scaling = {};  ///< what a line can send
    std::vector<WakeCarried> wakes = {};
    std::vector<ports::ConditionCarried> conditions = {};  ///< since when each lasts
    SMSRACK_MEMBERS(groups, cooling);
    SMSRACK_LATER_MEMBERS(scaling, wakes, conditions);
};

struct ClientHandOver {
    serial::OwnedFd fd = {};
    wire::SessionCarried session = {};
    SMSRACK_MEMBERS(fd, session);
};

struct HandOver {
    serial::OwnedFd lock = {};      ///< of the state folder; none: it must be taken
    serial::OwnedFd listener = {};  ///< none: a new one is made
    bool owns_socket_file = true;   ///< false: it is systemd's
    std::vector<LineHandOver> lines = {};
    std::vector<ClientHandOver> clients = {};
    RackLearned learned = {};
    std::vector<notify::FrontEndCarried> away = {};  ///< named clients that may come back yet
    std::string version = {};                        ///< of the program that leaves it
    SteadyTime held_since = {};                      ///< since then no request was read
    bool store_closed = false;  ///< by the run before, in order: the database needs no look
    SMSRACK_MEMBERS(lock, listener, owns_socket_file, lines, clients, version, held_since,
                    store_closed);
    SMSRACK_LATER_MEMBERS(learned, away);
};

}  // namespace smsrack::host
