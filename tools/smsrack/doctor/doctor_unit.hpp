/// Finds a unit of systemd: that of a process, and the service's own.
///
/// The deciding functions are pure; the others read /proc and the folders of units.
#pragma once

#include "tools/smsrack/doctor/finding.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace smsrack::cli {

/// Of the packages and of the image.
inline constexpr std::string_view service_unit = "smsrackd.service";
/// Under which the unit runs the service.
inline constexpr const char* service_account = "smsrack";

/// "ModemManager.service" of the text of /proc/PID/cgroup; nullopt: the process is in no unit of the system.
[[nodiscard]] std::optional<std::string> unit_in(std::string_view cgroup);

/// The digits of "minicom (pid 812)"; empty if it has none.
[[nodiscard]] std::string_view pid_in(std::string_view holder);

/// The unit of "minicom (pid 812)", as serial::port_holder() says it.
[[nodiscard]] std::optional<std::string> unit_of_holder(std::string_view holder);

/// How to end what holds a port: with its unit if it has one, else with its process id.
[[nodiscard]] std::string end_command(std::string_view holder,
                                      const std::optional<std::string>& unit);

/// What systemd has of the service on this machine.
struct ServiceUnit {
    bool systemd = false;  ///< it runs this machine
    bool there = false;    ///< it has the unit
};
[[nodiscard]] ServiceUnit look_for_unit();

/// An upgrade of the package whose hand-over was refused leaves the old version running. Nullopt if `running`, as the service says it, is
/// `installed` or empty.
[[nodiscard]] std::optional<Finding> judge_version(std::string_view running,
                                                   std::string_view installed);

/// How to start a service that does not answer, and where it says why it ended.
[[nodiscard]] std::string start_command(const ServiceUnit& unit, std::string_view config);

}  // namespace smsrack::cli
