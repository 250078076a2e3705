#include "src/line/line_report.hpp"

#include "src/base/time_text.hpp"

#include <fmt/format.h>
#include <utility>

namespace smsrack::line {
namespace {

/// Percent of the SIM's places: above the first an alarm, below the second it is over.
constexpr int storage_alarm = 80;
constexpr int storage_calm = 70;

/// What it says of the modem outlasts the moment. The others are steps of a recovery, whose beginning and
/// end are reported.
bool is_event(ports::Incident kind) {
    switch (kind) {
        case ports::Incident::restarted:
        case ports::Incident::reconnected:
        case ports::Incident::call_refused:
        case ports::Incident::modem_changed:
        case ports::Incident::pdu_unreadable:
        case ports::Incident::sim_elsewhere:
            return true;
        default:
            return false;
    }
}

}  // namespace

/// A row of the event log, and a line of the event streams.
void LineReport::event(std::string state) {
    store_.post(ports::KeepEvent{{.at = clock_.wall(),
                                  .type = EventType::modem_state,
                                  .modem = name_,
                                  .detail = std::move(state)}});
}

void LineReport::ready(std::optional<std::chrono::nanoseconds> woke_in) {
    board_.ready(id_);
    if (woke_in) {
        board_.woke(id_, *woke_in);
    }
    if (!std::exchange(was_ready_, false)) {
        event("active");
        log_.info("line_ready", {{"modem", name_}});
    }
}

void LineReport::lost(const ports::ModemNotReady& why, bool is_meant) {
    board_.not_ready(id_, ports::LinkState::pending, why.reason, why.detail);
    log_.write(is_meant ? LogLevel::info : LogLevel::warn, "line_not_ready",
               {{"modem", name_}, {"reason", why.reason}});
    event(why.reason);
}

void LineReport::stopped() {
    board_.stop(id_);
    event("stop");
}

void LineReport::asleep(WallTime listens_at) {
    board_.asleep(id_, listens_at);
    log_.info("line_asleep", {{"modem", name_}});
    event("asleep until " + time_text(listens_at));
}

void LineReport::store_failed(const Error& error) {
    log_.error("sim_not_kept", {{"modem", name_}, {"error", error.context}});
    board_.not_ready(id_, ports::LinkState::pending, "storage", "the disk is full or failing");
}

void LineReport::incident(ports::Incident kind) {
    board_.count(id_, kind);
    if (is_event(kind)) {
        event(std::string(ports::incident_name(kind)));
    }
}

void LineReport::seat(const ports::SlotSeen& seen, const ports::SlotKnown& before,
                      const SlotVerdict& verdict) {
    if (verdict.modem_changed) {
        log_.warn("modem_changed",
                  {{"modem", name_}, {"imei", seen.imei}, {"imei_before", before.imei}});
        incident(ports::Incident::modem_changed);
    }
    if (verdict.sim_changed) {
        const bool is_expected = verdict.policy == ports::SimPolicy::adopt;
        log_.write(is_expected ? LogLevel::info : LogLevel::warn, "sim_changed",
                   {{"modem", name_}, {"detail", verdict.detail}});
        board_.count(id_, ports::Incident::sim_changed);
        if (!is_expected) {
            event("sim_changed");
        }
    }
}

void LineReport::sim_elsewhere(const std::string& where) {
    log_.warn("sim_elsewhere", {{"modem", name_}, {"where", where}});
    incident(ports::Incident::sim_elsewhere);
}

void LineReport::quota(const QuotaNews& news) {
    const std::string_view window = quota_window_names.at(static_cast<std::size_t>(news.window));
    const std::string_view how = news.spent ? "spent" : "nearly_spent";
    log_.warn("quota", {{"modem", name_}, {"window", window}, {"state", how}});
    event(fmt::format("quota_{}_{}", window, how));
}

void LineReport::quota_refused(std::string_view window) {
    log_.warn("quota_refused", {{"modem", name_}, {"window", window}});
}

void LineReport::sim_storage(const ports::SimStorage& storage) {
    board_.sim_storage(id_, storage.used, storage.total);
    const int percent = storage.used * 100 / storage.total;
    if (percent >= storage_alarm && !sim_nearly_full_) {
        sim_nearly_full_ = true;
        log_.warn("sim_nearly_full",
                  {{"modem", name_}, {"used", storage.used}, {"places", storage.total}});
        event("sim_nearly_full");
    } else if (percent < storage_calm) {
        sim_nearly_full_ = false;
    }
}

void LineReport::pin_refused() {
    log_.error("pin_refused", {{"modem", name_}});
}

void LineReport::command_begins(const ports::HandOrder& order) {
    log_.info("hand_order", {{"modem", name_}, {"order", ports::name_of(order)}});
}

}  // namespace smsrack::line
