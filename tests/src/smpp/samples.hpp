/// One PDU of each command, with every field set to something else than its default.
#pragma once

#include "src/smpp/pdu.hpp"

#include <vector>

namespace smsrack::smpp {

inline Message sample_message() {
    return {.service_type = "CMT",
            .source = {.ton = 5, .npi = 0, .text = "Shop"},
            .destination = {.ton = 1, .npi = 1, .text = "33612345678"},
            .esm_class = 0x40,
            .protocol_id = 0x41,
            .priority_flag = 3,
            .schedule_delivery_time = "261127120000000+",
            .validity_period = "000001000000000R",
            .registered_delivery = 1,
            .replace_if_present_flag = 1,
            .data_coding = 8,
            .sm_default_msg_id = 7,
            .short_message = std::string("\x05\x00\x03\x07\x02\x01\x04\x1F", 8),
            .tlvs = {integer_tlv(Tag::user_message_reference, 0x1234),
                     {.tag = static_cast<Tag>(0x1400), .octets = std::string("\0x", 2)}}};
}

inline SubmitMulti sample_multi() {
    return {.source = {.ton = 1, .npi = 1, .text = "33600000000"},
            .destinations = {{.address = {.ton = 1, .npi = 1, .text = "33612345678"}},
                             {.is_list = true, .address = {.text = "staff"}}},
            .data_coding = 3,
            .short_message = "\xE9t\xE9"};
}

inline std::vector<Pdu> samples() {
    using enum Command;
    const Bind bind{.system_id = "shop",
                    .password = "secret99",
                    .system_type = "VMS",
                    .address_range = {.ton = 1, .npi = 1, .text = "^33"}};
    const BindAnswer bound{.system_id = "smsrack",
                           .tlvs = {integer_tlv(Tag::sc_interface_version, 0x34)}};
    const MessageAnswer accepted{.message_id = "4711"};
    const Data data{.destination = {.ton = 1, .npi = 1, .text = "33612345678"},
                    .registered_delivery = 1,
                    .tlvs = {{.tag = Tag::message_payload, .octets = "hello"}}};
    const Query query{.message_id = "4711", .source = {.ton = 5, .text = "Shop"}};
    const QueryAnswer state{
        .message_id = "4711", .final_date = "261127120000000+", .message_state = 2};
    const Cancel cancel{.message_id = "4711", .source = {.ton = 5, .text = "Shop"}};
    const Replace replace{.message_id = "4711", .registered_delivery = 1, .short_message = "new"};
    const SubmitMultiAnswer refused{
        .message_id = "4712",
        .refused = {{.address = {.ton = 1, .npi = 1, .text = "33612345678"},
                     .status = Status::submit_failed}}};
    std::vector<Pdu> all;
    const auto add = [&](Command command, Body body) {
        const auto sequence = static_cast<std::uint32_t>(all.size() + 1);
        all.push_back(
            {.header = {.command = command, .sequence = sequence}, .body = std::move(body)});
    };
    for (const Command command : {bind_receiver, bind_transmitter, bind_transceiver}) {
        add(command, bind);
        add(answer_to(command), bound);
    }
    add(outbind, Outbind{.system_id = "smsrack", .password = "secret99"});
    add(submit_sm, sample_message());
    add(submit_sm_resp, accepted);
    add(deliver_sm, sample_message());
    add(deliver_sm_resp, MessageAnswer());
    add(data_sm, data);
    add(data_sm_resp, accepted);
    add(submit_multi, sample_multi());
    add(submit_multi_resp, refused);
    add(query_sm, query);
    add(query_sm_resp, state);
    add(cancel_sm, cancel);
    add(replace_sm, replace);
    for (const Command command : {cancel_sm_resp, replace_sm_resp, enquire_link, enquire_link_resp,
                                  unbind, unbind_resp, generic_nack}) {
        add(command, {});
    }
    return all;
}

}  // namespace smsrack::smpp
