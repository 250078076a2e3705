#include "tools/pdu_json/record_json.hpp"

#include "src/wire/json_writer.hpp"
#include "tools/pdu_json/field_writer.hpp"

#include <optional>
#include <string_view>
#include <variant>

namespace smsrack::tools {
namespace {

using namespace pdu;  // the records, whose every part is named here

class RecordWriter {
public:
    explicit RecordWriter(std::string& out) : field_(out), json_(field_.json()) {}

    void write(const DecodedPdu& decoded, bool with_service_centre) {
        json_.begin_object();
        if (with_service_centre && decoded.service_centre) {
            field_.address("smsc", *decoded.service_centre);
        } else if (with_service_centre) {
            json_.member_null("smsc");
        }
        json_.member("tpdu_length", decoded.tpdu_length);
        std::visit(*this, decoded.tpdu);
        if (!decoded.trailing.empty()) {
            field_.hex("trailing", decoded.trailing);
        }
        json_.end_object();
    }

    void operator()(const SmsDeliver& record) {
        type("SMS-DELIVER", record.first);
        flag("tp_mms", record.first, FirstOctet::more_messages);
        flag("tp_lp", record.first, FirstOctet::loop_prevention);
        flag("tp_sri", record.first, FirstOctet::status_report);
        flag("tp_rp", record.first, FirstOctet::reply_path);
        field_.address("originator", record.originator);
        field_.message_pid(record.tp_pid);
        field_.dcs(record.user_data.dcs);
        field_.timestamp("scts", "scts_raw", record.scts);
        field_.user_data(record.user_data);
    }

    void operator()(const SmsSubmit& record) {
        type("SMS-SUBMIT", record.first);
        flag("tp_rd", record.first, FirstOctet::reject_duplicates);
        flag("tp_srr", record.first, FirstOctet::status_report);
        flag("tp_rp", record.first, FirstOctet::reply_path);
        json_.member("tp_mr", record.tp_mr);
        field_.address("destination", record.destination);
        field_.message_pid(record.tp_pid);
        field_.dcs(record.user_data.dcs);
        field_.validity(record.vp);
        field_.user_data(record.user_data);
    }

    void operator()(const SmsStatusReport& record) {
        type("SMS-STATUS-REPORT", record.first);
        flag("tp_mms", record.first, FirstOctet::more_messages);
        flag("tp_lp", record.first, FirstOctet::loop_prevention);
        flag("tp_srq", record.first, FirstOctet::status_report);
        json_.member("tp_mr", record.tp_mr);
        field_.address("recipient", record.recipient);
        field_.timestamp("scts", "scts_raw", record.scts);
        field_.timestamp("discharge", "discharge_raw", record.discharge);
        json_.key("status");
        json_.begin_object();
        json_.member("raw", record.tp_st);
        json_.member("class", tp_status_class(record.tp_st));
        json_.end_object();
        if (record.parameters) {
            parameters(*record.parameters);
        }
    }

    void operator()(const SmsDeliverReport& record) {
        type("SMS-DELIVER-REPORT", record.first);
        json_.member("tp_fcs", record.tp_fcs);
        parameters(record.parameters);
    }

    void operator()(const SmsSubmitReport& record) {
        type("SMS-SUBMIT-REPORT", record.first);
        json_.member("tp_fcs", record.tp_fcs);
        field_.timestamp("scts", "scts_raw", record.scts);
        parameters(record.parameters);
    }

    void operator()(const SmsCommand& record) {
        type("SMS-COMMAND", record.first);
        flag("tp_srr", record.first, FirstOctet::status_report);
        json_.member("tp_mr", record.tp_mr);
        json_.member("tp_pid", record.tp_pid);
        json_.member("tp_ct", record.tp_ct);
        json_.member("tp_mn", record.tp_mn);
        field_.address("destination", record.destination);
        field_.hex("data", record.data);
    }

private:
    void type(std::string_view name, FirstOctet first) {
        json_.member("tp_mti", first.tp_mti());
        json_.member("type", name);
        json_.member("tp_udhi", first.tp_udhi());
    }

    void flag(std::string_view name, FirstOctet first, std::uint8_t bit) {
        json_.member(name, first.has(bit));
    }
    void parameters(const ReportParameters& parameters) {
        json_.member("tp_pi", parameters.tp_pi);
        if (parameters.tp_pid) {
            json_.member("tp_pid", *parameters.tp_pid);
        }
        if (parameters.tp_dcs) {
            field_.dcs(*parameters.tp_dcs);
        }
        if (parameters.user_data) {
            field_.user_data(*parameters.user_data);
        }
    }

    FieldWriter field_;
    wire::JsonWriter& json_;
};

}  // namespace

void append_record(std::string& out, const DecodedPdu& decoded, bool with_service_centre) {
    RecordWriter(out).write(decoded, with_service_centre);
}

}  // namespace smsrack::tools
