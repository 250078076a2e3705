/// Translates one line of input into one line of JSON: what `smsrack pdu decode` and `encode` do,
/// without the reading and writing.
///
/// Threads: one.
#pragma once

#include "src/pdu/first_octet.hpp"
#include "tools/pdu_json/line_filter.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::tools {

struct DecodeOptions {
    pdu::Direction direction = pdu::Direction::stored;
    bool service_centre = true;  ///< the lines begin with the service centre field
};

class DecodeLines final : public LineWorker {
public:
    explicit DecodeLines(DecodeOptions options) : options_(options) {}
    bool work(std::string_view line, std::string& out) override;
    void refuse(std::string& out) override;

private:
    const DecodeOptions options_;
    std::vector<std::uint8_t> octets_;  // its room is used again
};

class EncodeLines final : public LineWorker {
public:
    bool work(std::string_view line, std::string& out) override;
    void refuse(std::string& out) override;

private:
    std::uint64_t line_number_ = 0;  // so that equal messages get different references
};

}  // namespace smsrack::tools
