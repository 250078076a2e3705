/// The checks of a configuration that only this machine can do: its time zones, folders, accounts
/// and PINs.
///
/// Nothing is made or changed. What the answer of one moment can't settle (a full disk, another service on the socket) is left to
/// the start itself.
/// Threads: any.
#pragma once

#include "src/config/settings.hpp"

#include <cstdint>

namespace smsrack::host {

/// Whose rights this process has. Those of another account say nothing about the service's: what comes of them is a warning.
enum class Rights : std::uint8_t { of_service, of_another };

/// The service can't start with these.
[[nodiscard]] config::ConfigProblems machine_problems(const config::Settings& settings);

/// It starts with these, and something does not work: a modem whose SIM asks for a PIN that is not there waits, the others send.
/// `rights`: where they are another account's, a PIN that can't be read says nothing.
[[nodiscard]] config::ConfigProblems machine_warnings(const config::Settings& settings,
                                                      Rights rights);

}  // namespace smsrack::host
