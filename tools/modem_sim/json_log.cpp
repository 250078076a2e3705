#include "tools/modem_sim/json_log.hpp"

#include "src/wire/json_writer.hpp"
#include "tools/modem_model/sms/hex.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace smsrack::modem_sim {

Result<Descriptor> JsonLog::open_file(const std::string& path) {
    if (path.empty()) {
        return Descriptor();
    }
    constexpr mode_t readable = 0644;
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, readable));
    if (!file) {
        return fail(Errc::not_allowed, path, errno);
    }
    return file;
}

template <typename Members>
void JsonLog::write(SteadyTime at, std::string_view event, const Members& members) {
    if (!file_) {
        return;
    }
    const auto since = std::chrono::duration_cast<std::chrono::microseconds>(at - start_.steady);
    line_.clear();
    wire::JsonWriter json(line_);
    json.begin_object();
    json.key("t");
    json.raw(fmt::format("{}.{:06}", since.count() / 1'000'000, since.count() % 1'000'000));
    json.member("wall", start_.wall_at(at).time_since_epoch().count());
    json.member("event", event);
    members(json);
    json.end_object();
    line_ += '\n';
    // A full disk must not stop the rack; the audit sees the gap by itself.
    [[maybe_unused]] const auto written = ::write(file_.get(), line_.data(), line_.size());
}

void JsonLog::start() {
    const auto steady = std::chrono::floor<std::chrono::microseconds>(start_.steady);
    write(start_.steady, "start", [&](wire::JsonWriter& json) {
        json.member("steady_us", steady.time_since_epoch().count());
    });
}

void JsonLog::submit(SteadyTime at, unsigned modem, const SubmitEntry& entry) {
    write(at, "submit", [&](wire::JsonWriter& json) {
        json.member("modem", modem);
        json.member("pdu", to_hex(entry.pdu));
        json.member("mr", entry.mr);
        json.member("to", entry.to);
        json.member("service_us", entry.service.count());
        json.member("command_gap_us", entry.gaps.command.host.count());
        json.member("answer_late_us", entry.gaps.command.late.count());
        json.member("entry_gap_us", entry.gaps.entry.host.count());
        json.member("prompt_late_us", entry.gaps.entry.late.count());
    });
}

void JsonLog::refused(SteadyTime at, unsigned modem, int cms_code) {
    write(at, "refused", [&](wire::JsonWriter& json) {
        json.member("modem", modem);
        json.member("cms", cms_code);
    });
}

void JsonLog::delivery(SteadyTime at, unsigned modem, const DeliveryEntry& entry) {
    write_delivery(at, entry.report ? "report" : "inbound", modem, entry);
}

void JsonLog::given(SteadyTime at, unsigned modem, const DeliveryEntry& entry) {
    write_delivery(at, entry.report ? "report_given" : "inbound_given", modem, entry);
}

void JsonLog::write_delivery(SteadyTime at, std::string_view event, unsigned modem,
                             const DeliveryEntry& entry) {
    write(at, event, [&](wire::JsonWriter& json) {
        json.member("modem", modem);
        json.member("how", entry.how);
        if (entry.report) {
            json.member("mr", entry.mr);
            json.member("status", entry.status);
            json.member("to", entry.from);
            return;
        }
        json.member("id", entry.id);
        json.member("segment", entry.segment);
        json.member("segments", entry.segments);
        json.member("from", entry.from);
        json.member("text", entry.text);
    });
}

void JsonLog::fault(SteadyTime at, unsigned modem, std::string_view name) {
    write(at, "fault", [&](wire::JsonWriter& json) {
        json.member("modem", modem);
        json.member("fault", name);
    });
}

}  // namespace smsrack::modem_sim
