#include "drivers/gsm/reporter.hpp"

#include <utility>

namespace smsrack::gsm {

Reporter::Reporter(std::string name, Log& log, FlightRecorder& recorder)
    : name_(std::move(name)), log_(log), recorder_(recorder) {}

void Reporter::tell(ports::ModemEvent event) {
    events_.push_back(std::move(event));
}

void Reporter::ready(const ports::ModemIdentity& identity) {
    reason_.clear();
    recorder_.became("ready");
    log_.info("modem_ready",
              {{"modem", name_}, {"imei", identity.imei}, {"operator", identity.operator_name}});
    tell(ports::ModemReady{identity});
}

void Reporter::not_ready(std::string_view reason, std::string detail) {
    if (reason == reason_) {
        return;
    }
    reason_ = reason;
    recorder_.became(detail);
    const bool is_meant = reason == "waking";
    log_.write(is_meant ? LogLevel::info : LogLevel::warn, "modem_not_ready",
               {{"modem", name_}, {"reason", reason}, {"detail", detail}});
    tell(ports::ModemNotReady{std::string(reason), std::move(detail)});
}

void Reporter::asleep() {
    reason_ = "asleep";
    recorder_.became("asleep");
    log_.info("modem_asleep", {{"modem", name_}});
    tell(ports::ModemAsleep{});
}

void Reporter::fallbacks(const ports::Fallbacks& now) {
    if (now != fallbacks_) {
        fallbacks_ = now;
        tell(ports::ModemFallbacks{now});
    }
}

void Reporter::incident(ports::Incident kind) {
    log_.info("modem_incident", {{"modem", name_}, {"kind", ports::incident_name(kind)}});
    tell(ports::ModemIncident{kind});
}

void Reporter::out_of_service(std::string detail) {
    log_.error("modem_out_of_service", {{"modem", name_}, {"detail", detail}});
    not_ready("out_of_service", std::move(detail));
    incident(ports::Incident::out_of_service);
}

void Reporter::note(LogLevel level, std::string_view event, std::string_view what) {
    if (level <= LogLevel::warn) {
        recorder_.became(what);
    }
    log_.write(level, event, {{"modem", name_}, {"what", what}});
}

std::optional<ports::ModemEvent> Reporter::next_event() {
    if (events_.empty()) {
        return std::nullopt;
    }
    std::optional<ports::ModemEvent> event(std::move(events_.front()));
    events_.pop_front();
    return event;
}

}  // namespace smsrack::gsm
