// The SMPP server, by the programs and a client of ours.
#include "tests/programs/support/phone.hpp"
#include "tests/programs/support/smpp_rack.hpp"
#include "tests/support/wait_for.hpp"

#include <doctest/doctest.h>

#include <csignal>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace smsrack::test {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using Order = smpp::Command;
using smpp::Status;

const std::string number = "+33600000030";

/// All deliver_sm that come until nothing comes for a second.
std::vector<smpp::Message> all_delivered(rig::Esme& esme) {
    std::vector<smpp::Message> all;
    while (const auto pdu = esme.read(1s)) {
        if (pdu->header.command == Order::deliver_sm) {
            esme.answer(pdu->header);
            all.push_back(std::get<smpp::Message>(pdu->body));
        }
    }
    return all;
}

std::multiset<std::string> ids_of(const std::vector<smpp::Message>& receipts) {
    std::multiset<std::string> ids;
    for (const smpp::Message& receipt : receipts) {
        ids.insert(id_of(receipt));
    }
    return ids;
}

}  // namespace

TEST_CASE("smpp: a message is submitted, sent, and its receipt comes after its answer") {
    SmppRack rig;
    rig::Esme esme = rig.bound("shop");
    const std::string id = submitted(esme, message_to(number, "Hello"));
    const smpp::Message receipt = delivered(esme);
    CHECK(id_of(receipt) == id);
    CHECK(stat_of(receipt) == "DELIVRD");
    CHECK(receipt.source.text == number.substr(1));
    CHECK(receipt.destination.text == "Bank");
    CHECK(rig.rack().submits_to(number).size() == 1);
    CHECK(status_of(esme, Order::query_sm,
                    smpp::Query{.message_id = id, .source = receipt.destination}) == Status::ok);
    rig::Esme other = rig.bound("bank");
    CHECK(status_of(other, Order::query_sm, smpp::Query{.message_id = id}) == Status::query_failed);
    CHECK(status_of(esme, Order::unbind, {}) == Status::ok);
}

TEST_CASE("smpp: each bind that is refused has the same answer, whatever the reason") {
    SmppRack rig("shop bind=tx sessions=1\nfar from=192.0.2.0/24\nsafe tls=yes\n");
    struct Case {
        std::string name;
        std::string password;
        Order kind;
    };
    for (const auto& [name, password, kind] :
         {Case{"shop", "wrong", Order::bind_transmitter},
          Case{"stranger", "secret12", Order::bind_transmitter},
          Case{"shop", "secret12", Order::bind_receiver},
          Case{"far", "secret12", Order::bind_transmitter},
          Case{"safe", "secret12", Order::bind_transmitter}}) {
        CAPTURE(name);
        rig::Esme esme = rig.connect();
        CHECK(esme.bind(name, password, kind) == Status::bind_failed);
    }
    rig::Esme first = rig.bound("shop", Order::bind_transmitter);
    rig::Esme second = rig.connect();
    CHECK(second.bind("shop", "secret12", Order::bind_transmitter) == Status::bind_failed);
    CHECK(first.bind("shop", "secret12", Order::bind_transmitter) == Status::already_bound);
}

TEST_CASE("smpp: receipts wait for a session that receives, and come once") {
    SmppRack rig;
    std::multiset<std::string> ids;
    {
        rig::Esme sender = rig.bound("shop", Order::bind_transmitter);
        for (int i = 0; i < 20; ++i) {
            ids.insert(submitted(sender, message_to(number, "Hello " + std::to_string(i))));
        }
    }
    for (const std::string& id : ids) {
        REQUIRE(rig.rack().reaches(id, "delivered"));
    }
    rig::Esme receiver = rig.bound("shop", Order::bind_receiver);
    CHECK(ids_of(all_delivered(receiver)) == ids);
    rig::Esme again = rig.bound("shop", Order::bind_receiver);
    CHECK(all_delivered(again).empty());
}

TEST_CASE(
    "smpp: a receipt that is put off, or whose session is lost, comes again; one refused does "
    "not") {
    SmppRack rig;
    rig::Esme esme = rig.bound("shop");
    const std::string id = submitted(esme, message_to(number, "Hello"));
    auto pdu = esme.read(20s);
    REQUIRE(pdu);
    esme.answer(pdu->header, Status::receiver_temporary);
    pdu = esme.read(20s);
    REQUIRE(pdu);
    CHECK(id_of(std::get<smpp::Message>(pdu->body)) == id);
    {
        rig::Esme other = std::move(esme);  // closed without an answer
    }
    rig::Esme later = rig.bound("shop");
    pdu = later.read(20s);
    REQUIRE(pdu);
    CHECK(id_of(std::get<smpp::Message>(pdu->body)) == id);
    later.answer(pdu->header, Status::receiver_permanent);
    CHECK_FALSE(later.read(3s));
}

TEST_CASE("smpp: the source chooses the SIM, and with source=own another one is refused") {
    SmppRack rig("shop\nown source=own\n", {.modems = 3});
    const std::string sim = "+33600000002";  // of m2
    rig::Esme shop = rig.bound("shop");
    rig::Esme own = rig.bound("own");
    for (int i = 0; i < 4; ++i) {
        smpp::Message message = message_to(number + std::to_string(i), "Hello");
        message.source = {.ton = 1, .npi = 1, .text = sim.substr(1)};
        for (rig::Esme* const esme : {&shop, &own}) {
            (void)submitted(*esme, message);
            CHECK(delivered(*esme).destination == message.source);
        }
        for (const auto& submit : rig.rack().submits_to(message.destination.text)) {
            CHECK(submit.modem == "2");
        }
    }
    smpp::Message strange = message_to(number, "Hello");
    for (const smpp::Address& source :
         {strange.source, smpp::Address{.ton = 1, .npi = 1, .text = "33699999999"}}) {
        CAPTURE(source.text);
        strange.source = source;
        CHECK(status_of(own, Order::submit_sm, strange) == Status::invalid_source);
        (void)submitted(shop, strange);
    }
}

TEST_CASE("smpp: an answer goes to the account that wrote to its sender last") {
    SmppRack rig("shop\nbank\nall mo=all\n");
    rig::Esme shop = rig.bound("shop");
    rig::Esme bank = rig.bound("bank");
    rig::Esme all = rig.bound("all");
    (void)submitted(bank, message_to(number, "First"));
    CHECK(stat_of(delivered(bank)) == "DELIVRD");
    (void)submitted(shop, message_to(number, "Second"));
    CHECK(stat_of(delivered(shop)) == "DELIVRD");
    const std::string text(300, 'a');
    rig.rack().simulate({{"do", "inbound"}, {"modem", 0}, {"from", number}, {"text", text}});
    const smpp::Message answer = delivered(shop);
    CHECK(answer.source == smpp::Address{.ton = 1, .npi = 1, .text = number.substr(1)});
    REQUIRE(smpp::find(answer.tlvs, smpp::Tag::message_payload) != nullptr);
    CHECK(smpp::find(answer.tlvs, smpp::Tag::message_payload)->octets == text);
    rig.rack().simulate(
        {{"do", "inbound"}, {"modem", 0}, {"from", "+33699999999"}, {"text", "New"}});
    CHECK(delivered(all).short_message == "New");
    CHECK_FALSE(bank.read(500ms));
    CHECK_FALSE(shop.read(1ms));
}

TEST_CASE("smpp: two accounts with one reference to one number do not mix on the phone") {
    SmppRack rig("shop\nbank\n", {.modems = 1});
    rig::Esme shop = rig.bound("shop");
    rig::Esme bank = rig.bound("bank");
    std::vector<std::string> ids;
    const auto submit = [&](rig::Esme& esme, const std::string& name, char part) {
        smpp::Message message = message_to(number, "\x05\x00\x03\x07\x03"s + part + name +
                                                       " wrote " + std::to_string(part) + ". ");
        message.esm_class = 0x40;
        ids.push_back(submitted(esme, message));
    };
    for (const char part : {'\2', '\3', '\1'}) {
        submit(shop, "shop", part);
        submit(bank, "bank", part);
    }
    for (const std::string& id : ids) {
        REQUIRE(rig.rack().reaches(id, "delivered"));
    }
    CHECK(on_the_phone(rig.rack(), number) ==
          std::multiset<std::string>{"shop wrote 1. shop wrote 2. shop wrote 3. ",
                                     "bank wrote 1. bank wrote 2. bank wrote 3. "});
    CHECK(all_delivered(shop).size() == 3);
}

TEST_CASE("smpp: what waits can be replaced and cancelled, by its account alone") {
    SmppRack rig;
    rig::Esme shop = rig.bound("shop");
    rig::Esme bank = rig.bound("bank");
    smpp::Message later = message_to(number, "Later");
    later.schedule_delivery_time = "000000010000000R";
    const std::string id = submitted(shop, later);
    const smpp::Replace replace{
        .message_id = id, .source = later.source, .registered_delivery = 1, .short_message = "New"};
    CHECK(status_of(bank, Order::replace_sm, replace) == Status::replace_failed);
    CHECK(status_of(shop, Order::replace_sm, replace) == Status::ok);
    CHECK(rig.rack().message(id).at("text") == "New");
    CHECK(status_of(bank, Order::cancel_sm, smpp::Cancel{.message_id = id}) ==
          Status::cancel_failed);
    CHECK(status_of(shop, Order::cancel_sm,
                    smpp::Cancel{.message_id = id, .source = later.source}) == Status::ok);
    CHECK(stat_of(delivered(shop)) == "DELETED");
    CHECK(
        status_of(shop, Order::cancel_sm, smpp::Cancel{.message_id = id, .source = later.source}) ==
        Status::cancel_failed);

    const std::string by_place = submitted(shop, later);
    CHECK(status_of(shop, Order::cancel_sm,
                    smpp::Cancel{.source = later.source, .destination = later.destination}) ==
          Status::ok);
    CHECK(id_of(delivered(shop)) == by_place);

    const std::string waits = submitted(shop, later);
    smpp::Message now = message_to(number, "Now");
    now.replace_if_present_flag = 1;
    CHECK(submitted(shop, now) == waits);
    CHECK(stat_of(delivered(shop)) == "DELIVRD");
    CHECK(submitted(shop, now) != waits);
}

TEST_CASE("smpp: one PDU to many numbers tells which were refused") {
    SmppRack rig;
    rig::Esme esme = rig.bound("shop");
    smpp::SubmitMulti multi{.registered_delivery = 1, .short_message = "Hi"};
    for (const std::string text : {"33600000031", "33600000032"}) {
        multi.destinations.push_back({.address = {.ton = 1, .npi = 1, .text = text}});
    }
    multi.destinations.push_back({.address = {.ton = 5, .npi = 0, .text = "Nobody"}});
    const auto answer = esme.answer_to(esme.send(Order::submit_multi, multi), 20s);
    REQUIRE(answer);
    const auto& body = std::get<smpp::SubmitMultiAnswer>(answer->body);
    REQUIRE(body.refused.size() == 1);
    CHECK(body.refused[0].address.text == "Nobody");
    CHECK(body.refused[0].status == Status::invalid_destination);
    CHECK(all_delivered(esme).size() == 2);
    multi.destinations = {{.is_list = true, .address = {.text = "friends"}}};
    CHECK(status_of(esme, Order::submit_multi, multi) == Status::invalid_distribution_list);
}

TEST_CASE("smpp: an account has its rate, and a new file counts at once") {
    SmppRack rig("shop rate=2\n");
    rig::Esme esme = rig.bound("shop");
    std::map<Status, int> told;
    for (int i = 0; i < 5; ++i) {
        ++told[status_of(esme, Order::submit_sm, message_to(number, "Hi " + std::to_string(i)))];
    }
    CHECK(told[Status::ok] >= 2);
    CHECK(told[Status::throttled] >= 1);
    rig.write_accounts("bank\n");
    const auto bye = esme.read(20s);
    REQUIRE(bye);
    while (esme.is_open()) {
        if (const auto pdu = esme.read(1s); pdu && pdu->header.command == Order::unbind) {
            esme.answer(pdu->header);
            esme.flush();
        }
    }
    CHECK(rig.bound("bank").is_open());
    rig::Esme gone = rig.connect();
    CHECK(gone.bind("shop", "secret12") == Status::bind_failed);
}

TEST_CASE("smpp: sessions outlive a kill of the service, and nothing is lost or doubled") {
    SmppRack rig("shop window=200\n", {.modems = 8, .config = "[queue]\nuncertain_s = 5\n"});
    rig::Esme esme = rig.bound("shop");
    std::map<std::uint32_t, std::string> texts;
    std::map<std::string, std::string> accepted;  // text -> id
    std::multiset<std::string> receipts;
    const auto take = [&](const smpp::Pdu& pdu) {
        if (pdu.header.command == Order::deliver_sm) {
            esme.answer(pdu.header);
            receipts.insert(id_of(std::get<smpp::Message>(pdu.body)));
            return;
        }
        REQUIRE(pdu.header.status == Status::ok);
        accepted[texts.at(pdu.header.sequence)] =
            std::get<smpp::MessageAnswer>(pdu.body).message_id;
    };
    constexpr int count = 400;
    for (int i = 0; i < count; ++i) {
        const std::string text = "Message " + std::to_string(i);
        texts[esme.send(Order::submit_sm, message_to(number, text))] = text;
        if (i == 100 || i == 250) {
            esme.flush();
            rig.rack().kill_service();
            rig.rack().start_service();
        }
        while (texts.size() - accepted.size() >= 150) {
            const auto pdu = esme.read(30s);
            REQUIRE(pdu);
            take(*pdu);
        }
    }
    while (accepted.size() < count || receipts.size() < count) {
        CAPTURE(accepted.size());
        CAPTURE(receipts.size());
        const auto pdu = esme.read(60s);
        REQUIRE(pdu);
        take(*pdu);
    }
    std::multiset<std::string> ids;
    for (const auto& [text, id] : accepted) {
        ids.insert(id);
    }
    CHECK(receipts == ids);
    CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == count);
    std::int64_t stored = 0;
    for (const auto& [state, rows] : rig.rack().states()) {
        stored += rows;
    }
    CHECK(stored == count);
}

TEST_CASE(
    "smpp: what was answered is kept over a kill of the gate, and its receipts come after the next "
    "bind") {
    SmppRack rig;
    std::multiset<std::string> ids;
    std::set<std::string> taken;
    {
        rig::Esme esme = rig.bound("shop");
        for (int i = 0; i < 10; ++i) {
            ids.insert(submitted(esme, message_to(number, "Hello " + std::to_string(i))));
        }
        taken.insert(id_of(delivered(esme)));
        rig.gate().gate().signal(SIGKILL);
        REQUIRE(rig.gate().gate().wait(20s));
    }
    rig.start_gate();
    for (const std::string& id : ids) {
        REQUIRE(rig.rack().reaches(id, "delivered"));
    }
    rig::Esme esme = rig.bound("shop");
    const auto again = ids_of(all_delivered(esme));
    // One that was taken just before the kill may come twice, but none may be missing.
    std::set<std::string> told(again.begin(), again.end());
    told.insert(taken.begin(), taken.end());
    CHECK(told == std::set<std::string>(ids.begin(), ids.end()));
}

TEST_CASE("smpp: a stopped gate says goodbye and does not repeat what was taken") {
    SmppRack rig;
    rig::Esme esme = rig.bound("shop");
    (void)submitted(esme, message_to(number, "Hello"));
    CHECK(stat_of(delivered(esme)) == "DELIVRD");
    rig.gate().gate().signal(SIGTERM);
    const auto bye = esme.read(20s);
    REQUIRE(bye);
    CHECK(bye->header.command == Order::unbind);
    esme.answer(bye->header);
    esme.flush();
    REQUIRE(rig.gate().gate().wait(20s) == Ending{0, 0});
    rig.start_gate();
    rig::Esme again = rig.bound("shop");
    CHECK(all_delivered(again).empty());
}

TEST_CASE("smpp: a hostile client is no other session's trouble") {
    SmppRack rig;
    rig::Esme good = rig.bound("shop");
    std::vector<rig::Esme> bad;
    for (const std::string& octets :
         {"\0\0\0\x0F\0\0\0\x04\0\0\0\0\0\0\0\x01"s,
          "\xFF\xFF\xFF\xFF\0\0\0\x04"s + std::string(8, '\0'), "GET / HTTP/1.1\r\n\r\n"s,
          "\0\0\0\x20\0\0\0\x09\0\0\0\0\0\0\0\x01"s + std::string(16, 'a'), "\0\0"s}) {
        bad.push_back(rig.connect());
        bad.back().send_raw(octets);
        bad.back().flush();
    }
    rig::Esme mute = rig.bound("bank");
    for (int i = 0; i < 20'000 && mute.is_open(); ++i) {
        (void)mute.send(Order::enquire_link);
        if (i % 1'000 == 0) {
            mute.flush();
        }
    }
    CHECK(stat_of([&] {
              (void)submitted(good, message_to(number, "Hello"));
              return delivered(good);
          }()) == "DELIVRD");
    for (std::size_t i : {0U, 1U, 2U}) {
        CAPTURE(i);
        const auto nack = bad[i].read(5s);
        REQUIRE(nack);
        CHECK(nack->header.command == Order::generic_nack);
        CHECK(nack->header.status == Status::invalid_command_length);
        CHECK_FALSE(bad[i].read(5s));
        CHECK_FALSE(bad[i].is_open());
    }
}

TEST_CASE("smpp: what a rule refuses is in the rows of the account, over a stop and a kill") {
    SmppRack rig("shop\n", {.config = "[destinations]\ndeny = [\"+49\"]\n"});
    rig::Esme esme = rig.bound("shop");
    const auto refused = [&](int times) {
        for (int i = 0; i < times; ++i) {
            CHECK(status_of(esme, Order::submit_sm, message_to("+4915112345678", "Hello")) ==
                  Status::submit_failed);
        }
    };
    refused(30);
    const auto rows = [&] { return rig.rack().get("/v1/clients/shop").at("refusals"); };
    REQUIRE(wait_for(30s, [&] { return rows().size() == 1; }));
    CHECK(rows().at(0).at("rule") == "deny");
    CHECK(rows().at(0).at("count") == 30);
    rig.rack().kill_service();
    rig.rack().start_service();
    CHECK(rows().at(0).at("count") == 30);
    refused(5);
    (void)rig.rack().stop_service();  // which does not wait for the ten seconds
    rig.rack().start_service();
    CHECK(rows().at(0).at("count") == 35);
    CHECK(rig.rack().command({"client", "show", "shop"}).output.contains("deny"));
}

TEST_CASE("smpp: an account that takes no results gets ESME_RMSGQFUL") {
    SmppRack rig("shop\n", {.config = "[[client]]\nname = \"shop\"\nbuffered_max = 4\n"});
    rig::Esme sender = rig.bound("shop", Order::bind_transmitter);
    std::set<Status> told;
    for (int i = 0; i < 8; ++i) {
        told.insert(
            status_of(sender, Order::submit_sm, message_to(number, "Hello " + std::to_string(i))));
    }
    CHECK(told == std::set{Status::ok, Status::queue_full});
}

TEST_CASE("smpp: an operator sees accounts and sessions, and ends them") {
    SmppRack rig;
    rig::Esme esme = rig.bound("shop");
    const auto listed = [&] { return rig.rack().command({"smpp", "sessions"}).output; };
    REQUIRE(wait_for(10s, [&] { return listed().contains("shop"); }));
    CHECK(listed().contains("127.0.0.1"));
    CHECK(rig.rack().command({"smpp", "list"}).output.contains("1/4"));
    CHECK(status_of(esme, Order::submit_sm, message_to("", "Hello")) ==
          Status::invalid_destination);
    const auto session = [&] {
        return rig.rack().get("/v1/smpp").at("accounts").at(0).at("sessions").at(0);
    };
    REQUIRE(wait_for(10s, [&] { return session().at("last_refusal") == "ESME_RINVDSTADR"; }));
    CHECK(session().at("last_refusal_at").get<std::string>() >=
          session().at("since").get<std::string>());
    CHECK(rig.gate()
              .call(rig.gate().token("read"), "/metrics")
              .body.contains("smsrack_smpp_sessions{account=\"shop\"} 1\n"));
    CHECK(rig.rack().command({"smpp", "unbind", "shop"}).ending == Ending{0, 0});
    const auto bye = esme.read(10s);
    REQUIRE(bye);
    CHECK(bye->header.command == Order::unbind);
    CHECK(rig.rack().command({"smpp", "unbind", "stranger"}).ending.code != 0);
}

}  // namespace smsrack::test
