#include "src/smpp/command.hpp"
#include "src/smpp/status.hpp"
#include "src/smpp/tlv.hpp"

#include <doctest/doctest.h>

using namespace smsrack::smpp;

TEST_CASE("smpp: commands, statuses and tags have the numbers and names of the standard") {
    CHECK(command_name(static_cast<Command>(0x00000103)) == "data_sm");
    CHECK(command_name(static_cast<Command>(0x80000021)) == "submit_multi_resp");
    CHECK(command_name(static_cast<Command>(0x80000000)) == "generic_nack");
    CHECK(command_name(static_cast<Command>(0x77)).empty());
    CHECK(answer_to(Command::submit_sm) == Command::submit_sm_resp);

    CHECK(status_name(Status::throttled) == "ESME_RTHROTTLED");
    CHECK(status_name(static_cast<Status>(0xFF)) == "ESME_RUNKNOWNERR");
    CHECK(status_name(static_cast<Status>(0x400)).empty());
    CHECK_FALSE(status_words(Status::queue_full).empty());

    CHECK(tag_name(Tag::message_payload) == "message_payload");
    CHECK(tag_kind(Tag::receipted_message_id) == TlvKind::text);
    CHECK(tag_name(static_cast<Tag>(0x1400)).empty());
}

TEST_CASE("smpp: optional parameters of numbers and texts are what was put in") {
    CHECK(integer_tlv(Tag::sar_msg_ref_num, 0x1234).octets == "\x12\x34");
    CHECK(integer_tlv(Tag::message_state, 2).octets == "\x02");
    CHECK(integer_tlv(Tag::source_port, 40'000).number() == 40'000);
    const Tlv id = text_tlv(Tag::receipted_message_id, std::string(100, '7'));
    CHECK(id.octets.size() == 65);
    CHECK(id.text() == std::string(64, '7'));
    const Tlvs all{integer_tlv(Tag::message_state, 2), id};
    CHECK(find(all, Tag::receipted_message_id)->text() == id.text());
    CHECK(find(all, Tag::message_payload) == nullptr);
}

TEST_CASE("smpp: optional parameters that do not add up are refused") {
    for (const std::string_view wrong :
         {std::string_view("\x04"), std::string_view("\x04\x24\x00", 3),
          std::string_view("\x04\x24\x00\x02x", 5), std::string_view("\x14\x00\xFF\xFFx", 5)}) {
        CAPTURE(wrong.size());
        Reader reader(wrong);
        (void)read_tlvs(reader);
        CHECK(reader.problem().status == Status::bad_optional_part);
    }
}
