#include "tools/sim/json_log.hpp"

#include "src/wire/json_writer.hpp"
#include "tools/sim_model/hex.hpp"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

namespace smsrack::sim {

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
void JsonLog::write(SteadyTime at, unsigned modem, std::string_view event, const Members& members) {
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
    json.member("modem", modem);
    members(json);
    json.end_object();
    line_ += '\n';
    // A full disk must not stop the rack; the audit sees the gap by itself.
    [[maybe_unused]] const auto written = ::write(file_.get(), line_.data(), line_.size());
}

void JsonLog::submit(SteadyTime at, unsigned modem, const SubmitEntry& entry) {
    write(at, modem, "submit", [&](wire::JsonWriter& json) {
        json.member("pdu", to_hex(entry.pdu));
        json.member("mr", entry.mr);
        json.member("to", entry.to);
        json.member("service_us", entry.service.count());
    });
}

void JsonLog::refused(SteadyTime at, unsigned modem, int cms_code) {
    write(at, modem, "refused", [&](wire::JsonWriter& json) { json.member("cms", cms_code); });
}

void JsonLog::delivery(SteadyTime at, unsigned modem, const DeliveryEntry& entry) {
    write(at, modem, entry.report ? "report" : "inbound", [&](wire::JsonWriter& json) {
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
    write(at, modem, "fault", [&](wire::JsonWriter& json) { json.member("fault", name); });
}

}  // namespace smsrack::sim
