#include "tools/modem_model/faults/fault.hpp"

#include <algorithm>
#include <array>

namespace smsrack::modem_sim {
namespace {

using std::chrono::milliseconds;
using enum FaultKind;

constexpr int many = 1'000'000;  // as good as always
constexpr int octets_max = 4096;
constexpr int places_max = 50;        // PDUs of one order: a SIM holds no more
constexpr milliseconds tr1n(40'000);  // 3GPP TS 24.011 10.2: the network repeats after 35 to 45 s
constexpr std::string_view a_pin = "1234";
constexpr std::string_view a_caller = "+33612000000";

// What only ends another has weight 0, and so has what a service can't mend without a human, or what only
// a line with `fast_baud` sees.
constexpr std::array rows{
    FaultRow{hang, "hang", 1, 1, 0, milliseconds(0), "", unhang, 2},
    FaultRow{stall, "stall", 1, 1, 0, milliseconds(0), "", unhang, 1},
    FaultRow{unhang, "unhang", 1, 1, 0, milliseconds(0), "", {}, 0},
    FaultRow{reboot, "reboot", 1, 1, 0, milliseconds(0), "", {}, 4},
    FaultRow{reboot_loop, "reboot_loop", 5, many, 0, milliseconds(0), "", {}, 1},
    FaultRow{unplug, "unplug", 1, 1, 0, milliseconds(0), "", replug, 2},
    FaultRow{replug, "replug", 1, 1, 0, milliseconds(0), "", {}, 0},
    FaultRow{lose_answer, "lose_answer", 1, many, 0, milliseconds(0), "", {}, 4},
    FaultRow{late_answer, "late_answer", 1, many, 0, milliseconds(1000), "", {}, 4},
    FaultRow{cms_error, "cms_error", 1, many, 500, milliseconds(0), "", {}, 4},
    FaultRow{drop_prompt, "drop_prompt", 1, many, 0, milliseconds(0), "", {}, 2},
    FaultRow{network_lost, "network_lost", 1, 1, 0, milliseconds(0), "", network_back, 3},
    FaultRow{denied, "denied", 1, 1, 0, milliseconds(0), "", network_back, 0},
    FaultRow{roaming, "roaming", 1, 1, 0, milliseconds(0), "", network_back, 0},
    FaultRow{network_back, "network_back", 1, 1, 0, milliseconds(0), "", {}, 0},
    FaultRow{sim_removed, "sim_removed", 1, 1, 0, milliseconds(0), "", sim_inserted, 1},
    FaultRow{sim_inserted, "sim_inserted", 1, 1, 0, milliseconds(0), "", {}, 0},
    FaultRow{sim_swapped, "sim_swapped", 1, 1, 900, milliseconds(0), "", {}, 0},
    FaultRow{sim_busy, "sim_busy", 1, many, 0, milliseconds(0), "", {}, 1},
    FaultRow{pin_wanted, "pin_wanted", 3, 3, 0, milliseconds(0), a_pin, {}, 0},
    FaultRow{puk_wanted, "puk_wanted", 1, 1, 0, milliseconds(0), a_pin, {}, 0},
    FaultRow{centre_lost, "centre_lost", 1, 1, 0, milliseconds(0), "", {}, 0},
    FaultRow{storage_full, "storage_full", 1, 1, 0, milliseconds(0), "", storage_free, 2},
    FaultRow{storage_free, "storage_free", 1, 1, 0, milliseconds(0), "", {}, 0},
    FaultRow{lose_report, "lose_report", 1, many, 0, milliseconds(0), "", {}, 2},
    FaultRow{early_report, "early_report", 1, many, 0, milliseconds(500), "", {}, 2},
    FaultRow{late_report, "late_report", 1, many, 0, milliseconds(60'000), "", {}, 2},
    FaultRow{temporary_report, "temporary_report", 1, many, 0x21, milliseconds(5000), "", {}, 2},
    FaultRow{report_status, "report_status", 1, many, 0x46, milliseconds(0), "", {}, 1},
    FaultRow{report_zone, "report_zone", 1, many, 8, milliseconds(0), "", {}, 1},
    FaultRow{duplicate_inbound, "duplicate_inbound", 1, many, 0, tr1n, "", {}, 2},
    FaultRow{dead_clock, "dead_clock", 1, many, 0, milliseconds(0), "", {}, 1},
    FaultRow{same_reference, "same_reference", 1, many, 0, milliseconds(0), "", {}, 1},
    FaultRow{undecodable, "undecodable", 1, places_max, 0, milliseconds(0), "", {}, 1},
    FaultRow{lose_urc, "lose_urc", 1, many, 0, milliseconds(0), "", {}, 2},
    FaultRow{erase_refused, "erase_refused", 1, many, 500, milliseconds(0), "", {}, 2},
    FaultRow{erase_slow, "erase_slow", 1, many, 0, milliseconds(5000), "", {}, 1},
    FaultRow{torn_list_end, "torn_list_end", 1, many, 0, milliseconds(0), "", {}, 1},
    FaultRow{ring, "ring", 5, 100, 0, milliseconds(0), a_caller, {}, 1},
    FaultRow{garbage, "garbage", 40, octets_max, 0, milliseconds(0), "", {}, 3},
    FaultRow{split, "split", 40, octets_max, 0, milliseconds(0), "", {}, 2},
    FaultRow{interleave, "interleave", 1, many, 0, milliseconds(0), "", {}, 2},
    FaultRow{lose_octets, "lose_octets", 10, many, 100, milliseconds(0), "", {}, 3},
    FaultRow{urc_inside, "urc_inside", 10, many, 100, milliseconds(0), "", {}, 3},
    FaultRow{torn_reference, "torn_reference", 1, many, 0, milliseconds(0), "", {}, 2},
    FaultRow{rate_ignored, "rate_ignored", 1, many, 0, milliseconds(0), "", {}, 0},
    FaultRow{rate_lossy, "rate_lossy", 1, 1, 115'200, milliseconds(0), "", rate_clean, 0},
    FaultRow{rate_clean, "rate_clean", 1, 1, 0, milliseconds(0), "", {}, 0},
};

static_assert(rows.size() == fault_kinds);
static_assert(
    [] {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (static_cast<std::size_t>(rows[i].kind) != i) {
                return false;
            }
        }
        return true;
    }(),
    "rows are in the order of FaultKind");

}  // namespace

std::span<const FaultRow> faults() {
    return rows;
}

const FaultRow& fault_row(FaultKind kind) {
    return rows[static_cast<std::size_t>(kind)];
}

const FaultRow* find_fault(std::string_view name) {
    const auto* found = std::ranges::find(rows, name, &FaultRow::name);
    return found == rows.end() ? nullptr : found;
}

Fault make_fault(FaultKind kind) {
    const FaultRow& row = fault_row(kind);
    return {.kind = kind,
            .count = row.count,
            .code = row.code,
            .delay = row.delay,
            .text = std::string(row.text)};
}

}  // namespace smsrack::modem_sim
