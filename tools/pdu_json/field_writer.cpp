#include "tools/pdu_json/field_writer.hpp"

#include "tools/pdu_json/hex.hpp"

#include <array>
#include <utility>

namespace smsrack::tools {

using namespace pdu;  // the fields, whose every part is named here

void FieldWriter::hex(std::string_view name, Octets octets) {
    json_.key(name);
    json_.raw("\"");  // the digits go straight behind it: no copy
    append_hex(out_, octets);
    out_ += '"';
}

void FieldWriter::numbers(std::string_view name,
                          std::initializer_list<std::pair<std::string_view, unsigned>> members) {
    json_.key(name);
    json_.begin_object();
    for (const auto& [member, number] : members) {
        json_.member(member, number);
    }
    json_.end_object();
}

void FieldWriter::languages(Languages tables) {
    numbers("lang", {{"locking", tables.locking}, {"single", tables.single}});
}

void FieldWriter::address(std::string_view name, const AddressField& address) {
    json_.key(name);
    json_.begin_object();
    json_.member("number", address.number.view());
    json_.member("ton", address.ton);
    json_.member("npi", address.npi);
    json_.end_object();
}

void FieldWriter::time(std::string_view name, const std::optional<CivilTime>& time) {
    if (time) {
        json_.member(name, time->rfc3339().view());
    } else {
        json_.member_null(name);
    }
}

void FieldWriter::timestamp(std::string_view name, std::string_view raw_name,
                            const Timestamp& stamp) {
    time(name, stamp.time);
    hex(raw_name, stamp.raw);
}

void FieldWriter::dcs(const Dcs& dcs) {
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

void FieldWriter::message_pid(std::uint8_t tp_pid) {
    constexpr std::uint8_t type0 = 0x40;  // 23.040 9.2.3.9: silent; the seven behind it replace
    json_.member("tp_pid", tp_pid);
    if (tp_pid == type0) {
        json_.member("type0", true);
    } else if (tp_pid > type0 && tp_pid <= type0 + 7) {
        json_.member("replace", tp_pid - type0);
    }
}

void FieldWriter::validity(const ValidityPeriod& vp) {
    constexpr std::array<std::string_view, 4> formats{"none", "enhanced", "relative", "absolute"};
    if (vp.format == ValidityFormat::none) {
        json_.member_null("vp");
        return;
    }
    json_.key("vp");
    json_.begin_object();
    json_.member("format", formats[std::to_underlying(vp.format)]);
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

void FieldWriter::user_data(const UserData& data) {
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

void FieldWriter::header(const Udh& udh) {
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
        numbers("concat", {{"ref", udh.concat->ref},
                           {"total", udh.concat->total},
                           {"seq", udh.concat->seq},
                           {"ref_bits", udh.concat->ref_bits}});
    }
    if (udh.ports) {
        numbers("ports",
                {{"dst", udh.ports->dst}, {"src", udh.ports->src}, {"bits", udh.ports->bits}});
    }
    if (udh.languages) {
        languages(*udh.languages);
    }
}

}  // namespace smsrack::tools
