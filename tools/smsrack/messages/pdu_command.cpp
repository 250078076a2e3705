// `smsrack pdu decode` and `smsrack pdu encode`: read lines from standard input, and write JSON
// Lines to standard output. Failed where a line was bad: the answer to that line says why.
#include "tools/pdu_json/line_codec.hpp"
#include "tools/pdu_json/line_filter.hpp"
#include "tools/pdu_json/smpp_lines.hpp"
#include "tools/smsrack/commands.hpp"

#include <system_error>
#include <unistd.h>

namespace smsrack::cli {
namespace {

struct DecodeWords {
    std::string direction = "auto";
    bool no_smsc = false;  ///< the lines start at the TPDU
    bool smpp = false;     ///< the lines are PDUs of SMPP
    std::string dcs0 = "gsm7";
};

smpp::Coding coding_of(const std::string& word) {
    return word == "latin1" ? smpp::Coding::latin1
           : word == "utf8" ? smpp::Coding::utf8
                            : smpp::Coding::gsm7;
}

/// Straight from descriptor to descriptor: the console would keep all that is written.
Outcome<> filter(tools::LineWorker& worker) {
    const auto all_good = tools::filter_lines(STDIN_FILENO, STDOUT_FILENO, worker);
    if (!all_good) {
        return failure(ExitCode::failed,
                       all_good.error().context + ": " +
                           std::generic_category().message(all_good.error().detail));
    }
    return *all_good ? ExitCode::done : ExitCode::failed;
}

Outcome<> decode(const DecodeWords& options, Context& /*context*/) {
    if (options.smpp) {
        tools::SmppLines worker(coding_of(options.dcs0));
        return filter(worker);
    }
    tools::DecodeLines worker({.direction = options.direction == "mt" ? pdu::Direction::to_mobile
                                            : options.direction == "mo"
                                                ? pdu::Direction::from_mobile
                                                : pdu::Direction::stored,
                               .service_centre = !options.no_smsc});
    return filter(worker);
}

Outcome<> encode(Context& /*context*/) {
    tools::EncodeLines worker;
    return filter(worker);
}

}  // namespace

void declare_pdu(const CommandGroup& program) {
    const CommandGroup pdu = program.group("pdu", "decode and encode PDUs; needs no service");
    const auto command =
        pdu.command({"decode", "hex lines in, JSON Lines out", {"pdu decode < pdus.txt"}}, decode);
    command.app
        .add_option("--direction", command.options.direction,
                    "mt: to the mobile; mo: from it; auto: as a modem's memory has them")
        ->check(CLI::IsMember({"mt", "mo", "auto"}))
        ->capture_default_str();
    command.app.add_flag("--no-smsc", command.options.no_smsc,
                         "the lines start after the service centre's address");
    auto* const no_smsc = command.app.get_option("--no-smsc");
    auto* const smpp =
        command.app
            .add_flag("--smpp", command.options.smpp,
                      "the lines are PDUs of SMPP 3.4, as in a capture of its connection")
            ->excludes(no_smsc);
    command.app
        .add_option("--dcs0", command.options.dcs0,
                    "with --smpp: what data_coding 0 means: gsm7, latin1, utf8")
        ->check(CLI::IsMember({"gsm7", "latin1", "utf8"}))
        ->capture_default_str()
        ->needs(smpp);
    pdu.command(
        {"encode", "JSON Lines in, JSON Lines with the PDUs out", {"pdu encode < messages.jsonl"}},
        encode);
}

}  // namespace smsrack::cli
