#include "tools/smsrack/doctor/doctor_gate.hpp"

#include "drivers/serial/port_holder.hpp"
#include "tools/smsrack/doctor/doctor_unit.hpp"

#include <filesystem>
#include <fmt/format.h>
#include <string_view>
#include <system_error>
#include <utility>

namespace smsrack::cli {

std::optional<Finding> judge_gate(const RunningGate& gate) {
    constexpr std::string_view replaced = " (deleted)";  // proc(5)
    if (!gate.program.ends_with(replaced)) {
        return std::nullopt;
    }
    const std::string how = gate.unit
                                ? fmt::format("`sudo systemctl restart {}` starts", *gate.unit)
                                : std::string("end it, and start");
    return bad("gate", "old_gate",
               gate.holder + " runs a program that was replaced since, as an upgrade does",
               how +
                   " the installed one: answers in flight leave first, connections and event "
                   "streams end");
}

Findings look_at_gates() {
    Findings old;
    for (const std::string& holder : serial::programs_named("smsrack-gate")) {
        std::error_code hidden;  // it is another account's
        const auto program =
            std::filesystem::read_symlink(fmt::format("/proc/{}/exe", pid_in(holder)), hidden);
        if (hidden) {
            continue;
        }
        auto finding = judge_gate(
            {.holder = holder, .unit = unit_of_holder(holder), .program = program.string()});
        if (finding) {
            old.push_back(*std::move(finding));
        }
    }
    return old;
}

}  // namespace smsrack::cli
