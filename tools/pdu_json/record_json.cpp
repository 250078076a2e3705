#include "tools/pdu_json/record_json.hpp"

#include "src/wire/json_writer.hpp"
#include "tools/pdu_json/hex.hpp"

#include <optional>
#include <string_view>
#include <variant>

namespace smsrack::tools {
namespace {

using namespace pdu;  // the records, whose every part is named here

class RecordWriter {
public:
    explicit RecordWriter(std::string& out) : out_(out), json_(out) {}

    void write(const DecodedPdu& decoded, bool with_service_centre);

    void operator()(const SmsDeliver& record);
    void operator()(const SmsSubmit& record);
    void operator()(const SmsStatusReport& record);
    void operator()(const SmsDeliverReport& record);
    void operator()(const SmsSubmitReport& record);
    void operator()(const SmsCommand& record);

private:
    void type(std::string_view name, FirstOctet first);
    void flag(std::string_view name, FirstOctet first, std::uint8_t bit) {
        json_.member(name, first.has(bit));
    }
    void hex(std::string_view name, Octets octets);
    void address(std::string_view name, const AddressField& address);
    void time(std::string_view name, const std::optional<CivilTime>& time);
    void timestamp(std::string_view name, std::string_view raw_name, const Timestamp& stamp);
    void dcs(const Dcs& dcs);
    void message_pid(std::uint8_t tp_pid);
    void validity(const ValidityPeriod& vp);
    void user_data(const UserData& data);
    void header(const Udh& udh);
    void parameters(const ReportParameters& parameters);

    std::string& out_;
    wire::JsonWriter json_;
};

void RecordWriter::write(const DecodedPdu& decoded, bool with_service_centre) {
    json_.begin_object();
    if (with_service_centre && decoded.service_centre) {
        address("smsc", *decoded.service_centre);
    } else if (with_service_centre) {
        json_.member_null("smsc");
    }
    json_.member("tpdu_length", decoded.tpdu_length);
    std::visit(*this, decoded.tpdu);
    if (!decoded.trailing.empty()) {
        hex("trailing", decoded.trailing);
    }
    json_.end_object();
}

void RecordWriter::operator()(const SmsDeliver& record) {
    type("SMS-DELIVER", record.first);
    flag("tp_mms", record.first, FirstOctet::more_messages);
    flag("tp_lp", record.first, FirstOctet::loop_prevention);
    flag("tp_sri", record.first, FirstOctet::status_report);
    flag("tp_rp", record.first, FirstOctet::reply_path);
    address("originator", record.originator);
    message_pid(record.tp_pid);
    dcs(record.user_data.dcs);
    timestamp("scts", "scts_raw", record.scts);
    user_data(record.user_data);
}

void RecordWriter::operator()(const SmsSubmit& record) {
    type("SMS-SUBMIT", record.first);
    flag("tp_rd", record.first, FirstOctet::reject_duplicates);
    flag("tp_srr", record.first, FirstOctet::status_report);
    flag("tp_rp", record.first, FirstOctet::reply_path);
    json_.member("tp_mr", record.tp_mr);
    address("destination", record.destination);
    message_pid(record.tp_pid);
    dcs(record.user_data.dcs);
    validity(record.vp);
    user_data(record.user_data);
}

void RecordWriter::operator()(const SmsStatusReport& record) {
    type("SMS-STATUS-REPORT", record.first);
    flag("tp_mms", record.first, FirstOctet::more_messages);
    flag("tp_lp", record.first, FirstOctet::loop_prevention);
    flag("tp_srq", record.first, FirstOctet::status_report);
    json_.member("tp_mr", record.tp_mr);
    address("recipient", record.recipient);
    timestamp("scts", "scts_raw", record.scts);
    timestamp("discharge", "discharge_raw", record.discharge);
    json_.key("status");
    json_.begin_object();
    json_.member("raw", record.tp_st);
    json_.member("class", tp_status_class(record.tp_st));
    json_.end_object();
    if (record.parameters) {
        parameters(*record.parameters);
    }
}

void RecordWriter::operator()(const SmsDeliverReport& record) {
    type("SMS-DELIVER-REPORT", record.first);
    json_.member("tp_fcs", record.tp_fcs);
    parameters(record.parameters);
}

void RecordWriter::operator()(const SmsSubmitReport& record) {
    type("SMS-SUBMIT-REPORT", record.first);
    json_.member("tp_fcs", record.tp_fcs);
    timestamp("scts", "scts_raw", record.scts);
    parameters(record.parameters);
}

void RecordWriter::operator()(const SmsCommand& record) {
    type("SMS-COMMAND", record.first);
    flag("tp_srr", record.first, FirstOctet::status_report);
    json_.member("tp_mr", record.tp_mr);
    json_.member("tp_pid", record.tp_pid);
    json_.member("tp_ct", record.tp_ct);
    json_.member("tp_mn", record.tp_mn);
    address("destination", record.destination);
    hex("data", record.data);
}

void RecordWriter::type(std::string_view name, FirstOctet first) {
    json_.member("tp_mti", first.tp_mti());
    json_.member("type", name);
    json_.member("tp_udhi", first.tp_udhi());
}

void RecordWriter::hex(std::string_view name, Octets octets) {
    json_.key(name);
    json_.raw("\"");  // the digits go straight behind it: no copy
    append_hex(out_, octets);
    out_ += '"';
}

void RecordWriter::address(std::string_view name, const AddressField& address) {
    json_.key(name);
    json_.begin_object();
    json_.member("number", address.number.view());
    json_.member("ton", address.ton);
    json_.member("npi", address.npi);
    json_.end_object();
}

void RecordWriter::time(std::string_view name, const std::optional<CivilTime>& time) {
    if (time) {
        json_.member(name, time->rfc3339().view());
    } else {
        json_.member_null(name);
    }
}

void RecordWriter::timestamp(std::string_view name, std::string_view raw_name,
                             const Timestamp& stamp) {
    time(name, stamp.time);
    hex(raw_name, stamp.raw);
}

void RecordWriter::dcs(const Dcs& dcs) {
    json_.key("tp_dcs");
    json_.begin_object();
    json_.member("raw", dcs.raw);
    json_.member("alphabet", alphabet_name(dcs.alphabet));
    json_.member("class", dcs.message_class);
    json_.member("compressed", dcs.compressed);
    if (dcs.auto_delete) {
        json_.member("auto_delete", true);
    }
    if (dcs.waiting) {
        json_.key("mwi");
        json_.begin_object();
        json_.member("type", waiting_kind_name(dcs.waiting->kind));
        json_.member("active", dcs.waiting->active);
        json_.member("store", dcs.waiting->store);
        json_.end_object();
    }
    if (dcs.reserved) {
        json_.member("reserved", true);
    }
    json_.end_object();
}

void RecordWriter::message_pid(std::uint8_t tp_pid) {
    constexpr std::uint8_t type0 = 0x40;  // 23.040 9.2.3.9: silent; the seven behind it replace
    json_.member("tp_pid", tp_pid);
    if (tp_pid == type0) {
        json_.member("type0", true);
    } else if (tp_pid > type0 && tp_pid <= type0 + 7) {
        json_.member("replace", tp_pid - type0);
    }
}

void RecordWriter::validity(const ValidityPeriod& vp) {
    constexpr std::string_view formats[] = {"none", "enhanced", "relative", "absolute"};
    if (vp.format == ValidityFormat::none) {
        json_.member_null("vp");
        return;
    }
    json_.key("vp");
    json_.begin_object();
    json_.member("format", formats[static_cast<std::size_t>(vp.format)]);
    hex("raw", vp.octets());
    if (vp.format == ValidityFormat::absolute) {
        time("time", vp.time());
    } else {
        const auto duration = vp.duration();
        json_.member("seconds", duration ? std::optional(duration->count()) : std::nullopt);
    }
    if (vp.format == ValidityFormat::enhanced) {
        json_.member("single_shot", vp.single_shot());
    }
    json_.end_object();
}

void RecordWriter::user_data(const UserData& data) {
    hex("ud", data.octets);
    if (data.udh) {
        header(*data.udh);
    }
    if (!data.dcs.is_text()) {
        hex("data", data.payload);
        return;
    }
    SegmentText text;
    data.read_text(text);
    json_.member("text", text.view());
}

void RecordWriter::header(const Udh& udh) {
    if (udh.malformed) {
        hex("udh_malformed", udh.elements);
        return;
    }
    json_.key("udh");
    json_.begin_array();
    for (Octets rest = udh.elements; !rest.empty();) {
        const UdhElement element = next_element(rest);
        json_.begin_object();
        json_.member("iei", element.iei);
        hex("data", element.data);
        json_.end_object();
    }
    json_.end_array();
    if (udh.concat) {
        json_.key("concat");
        json_.begin_object();
        json_.member("ref", udh.concat->ref);
        json_.member("total", udh.concat->total);
        json_.member("seq", udh.concat->seq);
        json_.member("ref_bits", udh.concat->ref_bits);
        json_.end_object();
    }
    if (udh.ports) {
        json_.key("ports");
        json_.begin_object();
        json_.member("dst", udh.ports->dst);
        json_.member("src", udh.ports->src);
        json_.member("bits", udh.ports->bits);
        json_.end_object();
    }
    if (udh.languages) {
        json_.key("lang");
        json_.begin_object();
        json_.member("locking", udh.languages->locking);
        json_.member("single", udh.languages->single);
        json_.end_object();
    }
}

void RecordWriter::parameters(const ReportParameters& parameters) {
    json_.member("tp_pi", parameters.tp_pi);
    if (parameters.tp_pid) {
        json_.member("tp_pid", *parameters.tp_pid);
    }
    if (parameters.tp_dcs) {
        dcs(*parameters.tp_dcs);
    }
    if (parameters.user_data) {
        user_data(*parameters.user_data);
    }
}

}  // namespace

void append_record(std::string& out, const DecodedPdu& decoded, bool with_service_centre) {
    RecordWriter(out).write(decoded, with_service_centre);
}

}  // namespace smsrack::tools
