// The line and the quota of its SIM: asked before each segment, counted with it, loaded from the store.
#include "src/line/modem_line.hpp"

#include <fmt/format.h>
#include <utility>

namespace smsrack::line {

/// nullopt if the SIM has no quota.
std::optional<SimQuota::Counted> ModemLine::count_segment(const std::string& to, WallTime at) {
    if (world_.quota == nullptr) {
        return std::nullopt;
    }
    const SimQuota::Counted counted = world_.quota->count(at, recipient_hash(to));
    if (counted.news) {
        tell_quota(*counted.news);
    }
    return counted;
}

/// No attempt was written: the store has not counted it. Where it counts otherwise than we do, it is asked.
void ModemLine::not_counted(const Error& why) {
    if (!run_.counted()) {
        return;
    }
    if (why.code == Errc::quota_exhausted) {
        world_.log.warn("quota_refused", {{"modem", settings_.name}, {"window", why.context}});
        world_.quota->forget();
        seat_.count_again();
        ask_about_seat();
    } else {
        world_.quota->take_back(*run_.counted());
    }
}

void ModemLine::on(UsageKnown& mail) {
    if (!seat_.awaits_usage(mail.sim)) {
        return;
    }
    if (!mail.used) {
        sim_not_kept(mail.used.error());
        return;
    }
    world_.quota->known(std::move(*mail.used));
    seat_.counted();
    become_ready();
}

void ModemLine::tell_quota(const QuotaNews& news) {
    const std::string_view window = quota_window_names.at(static_cast<std::size_t>(news.window));
    const std::string_view how = news.spent ? "spent" : "nearly_spent";
    world_.log.warn("quota", {{"modem", settings_.name}, {"window", window}, {"state", how}});
    tell(fmt::format("quota_{}_{}", window, how));
}

}  // namespace smsrack::line
