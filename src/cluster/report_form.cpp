#include "src/cluster/report_form.hpp"

#include "src/cluster/form_reader.hpp"
#include "src/wire/json_writer.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>

namespace smsrack::cluster {
namespace {

using std::chrono::milliseconds;

std::int64_t ms_of(WallTime at) {
    return at.time_since_epoch().count();
}

std::optional<WallTime> time_of(std::optional<std::int64_t> ms) {
    return ms.transform([](std::int64_t time) { return WallTime(milliseconds(time)); });
}

}  // namespace

std::string form_of(const ReportLetter& letter) {
    const StatusReport& r = letter.stray.report;
    std::string form;
    wire::JsonWriter json(form);
    json.object([&] {
        json.member("report_of", letter.stray.card);
        json.member("from", letter.from.value);
        json.member("modem", letter.name + " " + r.modem);
        json.member("tp_mr", r.tp_mr);
        json.member("recipient", r.recipient);
        if (r.scts) {
            json.member("scts", ms_of(*r.scts));
        }
        if (r.discharge) {
            json.member("discharge", ms_of(*r.discharge));
        }
        json.member("tp_status", r.tp_status);
        json.member("raw", hex_of(r.raw));
        json.member("fingerprint", hex_of(std::as_bytes(std::span(r.fingerprint))));
        json.member("received", ms_of(r.received_at));
    });
    return form;
}

Result<ReportLetter> report_letter_of(std::string_view form) {
    return read_form<ReportLetter>(form, [](const wire::Json& json) -> Result<ReportLetter> {
        ReportLetter letter;
        StatusReport& r = letter.stray.report;
        FormReader reader(json);
        std::optional<std::int64_t> scts;
        std::optional<std::int64_t> discharge;
        std::string fingerprint;
        reader.read("report_of", letter.stray.card);
        reader.read("from", letter.from.value);
        reader.read("modem", r.modem);
        reader.read("tp_mr", r.tp_mr);
        reader.read("recipient", r.recipient);
        reader.read("scts", scts);
        reader.read("discharge", discharge);
        reader.read("tp_status", r.tp_status);
        reader.read_octets("raw", r.raw);
        reader.read_octets("fingerprint", fingerprint);
        reader.read("received", r.received_at, milliseconds(0));
        if (!reader.is_whole() || letter.stray.card.empty() ||
            fingerprint.size() != r.fingerprint.size()) {
            return strange_form();
        }
        r.scts = time_of(scts);
        r.discharge = time_of(discharge);
        std::ranges::copy(fingerprint, r.fingerprint.begin());
        return letter;
    });
}

}  // namespace smsrack::cluster
