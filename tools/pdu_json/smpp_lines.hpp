/// Translates one line of hexadecimal digits, a PDU of SMPP, into one line of JSON: what `smsrack pdu
/// decode --smpp` does, without the reading and writing.
///
/// Threads: one.
#pragma once

#include "src/smpp/coding.hpp"
#include "tools/pdu_json/line_filter.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::tools {

class SmppLines final : public LineWorker {
public:
    /// `by_default`: what data_coding 0 means.
    explicit SmppLines(smpp::Coding by_default) : by_default_(by_default) {}
    bool work(std::string_view line, std::string& out) override;
    void refuse(std::string& out) override;

private:
    const smpp::Coding by_default_;
    std::vector<std::uint8_t> octets_;  // its room is used again
};

}  // namespace smsrack::tools
