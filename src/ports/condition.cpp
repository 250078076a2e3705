#include "src/ports/condition.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace smsrack::ports {
namespace {

/// "0.5 MiB", "120 MiB".
std::string size_text(std::uint64_t octets) {
    constexpr double mebi = 1024.0 * 1024;
    constexpr double whole_numbers_from = 10;
    const double mib = static_cast<double>(octets) / mebi;
    return mib < whole_numbers_from ? fmt::format("{:.1f} MiB", mib)
                                    : fmt::format("{:.0f} MiB", mib);
}

}  // namespace

ConditionObject Condition::object() const {
    const std::string_view whole = subject;
    if (kind == ConditionKind::late) {
        return {.kind = "thread", .name = whole};
    }
    const std::size_t blank = std::min(whole.find(' '), whole.size());
    return {.kind = whole.substr(0, blank),
            .name = whole.substr(std::min(blank + 1, whole.size()))};
}

std::string room_text(const DiskRoom& room, std::string_view folder) {
    return fmt::format("{} of {} free in {}", size_text(room.free), size_text(room.whole), folder);
}

std::optional<Condition> judge_disk(const DiskRoom& room, std::string_view folder) {
    if (room.free < disk_full_below) {
        return Condition{
            .kind = ConditionKind::disk_full,
            .subject = "disk",
            .text = fmt::format("the disk is full ({}); no message is accepted or sent",
                                room_text(room, folder)),
            .advice = fmt::format("make room: `sudo du -xh --max-depth=2 / | sort -h | tail` shows "
                                  "what is large; the service resumes by itself"),
            .stops = Stops::all};
    }
    if (room.free < std::min(disk_low_below, room.whole / disk_low_share)) {
        return Condition{
            .kind = ConditionKind::disk_low,
            .subject = "disk",
            .text = fmt::format("the disk is nearly full: {}", room_text(room, folder)),
            .advice = "make room before it is full: a full disk accepts no message"};
    }
    return std::nullopt;
}

}  // namespace smsrack::ports
