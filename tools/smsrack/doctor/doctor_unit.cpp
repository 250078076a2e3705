#include "tools/smsrack/doctor/doctor_unit.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <system_error>

namespace smsrack::cli {

std::string_view pid_in(std::string_view holder) {
    constexpr std::string_view mark = "pid ";
    const std::size_t at = holder.find(mark);
    if (at == std::string_view::npos) {
        return {};
    }
    holder.remove_prefix(at + mark.size());
    const auto* const end =
        std::ranges::find_if(holder, [](unsigned char c) { return std::isdigit(c) == 0; });
    return holder.substr(0, static_cast<std::size_t>(end - holder.begin()));
}

/// "0::/system.slice/ModemManager.service"; of other hierarchies, lines before it.
std::optional<std::string> unit_in(std::string_view cgroup) {
    constexpr std::string_view unified = "0::";
    while (!cgroup.empty()) {
        const std::size_t end = std::min(cgroup.find('\n'), cgroup.size());
        const std::string_view line = cgroup.substr(0, end);
        cgroup.remove_prefix(std::min(end + 1, cgroup.size()));
        if (!line.starts_with(unified) || line.contains("/user.slice/")) {
            continue;
        }
        const std::string_view name = line.substr(line.rfind('/') + 1);
        if (name.ends_with(".service")) {
            return std::string(name);
        }
    }
    return std::nullopt;
}

std::optional<std::string> unit_of_holder(std::string_view holder) {
    const std::string_view pid = pid_in(holder);
    if (pid.empty()) {
        return std::nullopt;
    }
    std::ifstream file(fmt::format("/proc/{}/cgroup", pid));
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    return unit_in(text);
}

std::string end_command(std::string_view holder, const std::optional<std::string>& unit) {
    if (unit) {
        return fmt::format("`sudo systemctl disable --now {}`", *unit);
    }
    const std::string_view pid = pid_in(holder);
    return pid.empty() ? "end that program" : fmt::format("end it: `sudo kill {}`", pid);
}

ServiceUnit look_for_unit() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    constexpr std::array<std::string_view, 4> folders{"/etc/systemd/system", "/run/systemd/system",
                                                      "/usr/lib/systemd/system",
                                                      "/lib/systemd/system"};
    return {.systemd = fs::is_directory("/run/systemd/system", ignored),
            .there = std::ranges::any_of(folders, [&](std::string_view folder) {
                return fs::exists(fs::path(folder) / service_unit, ignored);
            })};
}

std::optional<Finding> judge_version(std::string_view running, std::string_view installed) {
    if (running.empty() || running == installed) {
        return std::nullopt;
    }
    return bad("service", "other_version",
               fmt::format("it runs version {}, and {} is installed", running, installed),
               "`sudo smsrack upgrade --yes /usr/bin/smsrackd` hands over to the installed one, or "
               "says why it can't; `sudo systemctl restart smsrackd` restarts");
}

std::string start_command(const ServiceUnit& unit, std::string_view config) {
    if (unit.systemd && unit.there) {
        return fmt::format(
            "`sudo systemctl start {0}`; `journalctl -u {0} -n 50` says why it "
            "ended. The ports are asked directly",
            service_unit);
    }
    return fmt::format(
        "this machine has no running systemd with {}: `smsrackd --config {}` starts "
        "the service. The ports are asked directly",
        service_unit, config);
}

}  // namespace smsrack::cli
