// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_ports: the ports of gmmu_axi that cores use, NumPorts AXI4 bumps in the wire and
// NumNative translation ports, each as one SM of gmmu_top. Port p of the vectors of settings,
// requests and faults: AXI port p, then native port p - NumPorts.
//
// Ports that are not built have their inputs unused and their outputs at 0. Rules:
// docs/axi_port.md, docs/native_port.md; settings: docs/regs.md, PORT_CTRL. Legal: as gmmu_axi.
`default_nettype none
module gmmu_axi_ports #(
`include "gmmu_axi_params.svh"
`include "gmmu_axi_data_bits.svh"
  localparam int Axis    = NumPorts > 0 ? NumPorts : 1,
  localparam int Natives = NumNative > 0 ? NumNative : 1,
  localparam int NumSms  = gmmu_pkg::num_sms(NumPorts, NumNative),
  localparam int PfnW    = PaW - 12,
  localparam int TagW    = $clog2(Slots) + 1,
  localparam int RecW    = 1 + 64 + AsidW + 2 + 1 + AxiIdW + 5
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
`include "gmmu_axi_data_ports.svh"
`include "gmmu_axi_n_ports.svh"
  // settings
  input  logic [NumSms*2-1:0]     mode_i,
  input  logic [NumSms-1:0]       error_mode_i,
  input  logic [NumSms*2-1:0]     asid_from_i,
  input  logic [NumSms*5-1:0]     shift_i,
  input  logic [NumSms*2-1:0]     fetch_i,
  input  logic [NumSms*AsidW-1:0] asid_i,
  // the MMU; answers are always taken
  output logic [NumSms-1:0]       req_valid_o,
  input  logic [NumSms-1:0]       req_ready_i,
  output logic [NumSms*64-1:0]    req_va_o,
  output logic [NumSms*2-1:0]     req_access_o,
  output logic [NumSms-1:0]       req_user_o,
  output logic [NumSms*AsidW-1:0] req_asid_o,
  output logic [NumSms*WarpW-1:0] req_warp_o,
  output logic [NumSms*TagW-1:0]  req_tag_o,
  input  logic [NumSms-1:0]       rsp_valid_i,
  input  logic [NumSms*TagW-1:0]  rsp_tag_i,
  input  logic [NumSms*PaW-1:0]   rsp_pa_i,
  input  logic [NumSms*5-1:0]     rsp_cause_i,
  // fault records: {write, VA, ASID, access, user, ID, cause}
  output logic [NumSms-1:0]       f_valid_o,
  output logic [NumSms*RecW-1:0]  f_rec_o,
  input  logic [NumSms-1:0]       f_taken_i,
  input  logic                    f_lost_i,
  input  logic                    retry_i,
  input  logic                    tick_i,
  // invalidation
  input  logic                    drop_i,      // pulse: give up translations not yet issued
  output logic [NumSms-1:0]       old_o,       // bursts from before it are on their way
  output logic [NumSms*8-1:0]     stalled_o,   // faulted bursts
  output logic [NumSms-1:0]       busy_o       // bursts are on their way to memory
);
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    gmmu_axi_port #(
      .Slots(Slots), .Outstanding(Outstanding), .WBeats(WBeats), .AxiAddrW(AxiAddrW),
      .AxiDataW(AxiDataW), .AxiIdW(AxiIdW), .AxiUserW(AxiUserW),
      .PaW(PaW), .AsidW(AsidW), .WarpW(WarpW), .SignExtend(SignExtend), .RwOrder(RwOrder)
    ) u_port (
      .clk_i, .rst_ni,
      .s_aw_valid_i(s_aw_valid_i[p]), .s_aw_ready_o(s_aw_ready_o[p]),
      .s_aw_i(s_aw_i[p*SAwBits +: SAwBits]),
      .s_w_valid_i(s_w_valid_i[p]), .s_w_ready_o(s_w_ready_o[p]),
      .s_w_i(s_w_i[p*SWBits +: SWBits]),
      .s_b_valid_o(s_b_valid_o[p]), .s_b_ready_i(s_b_ready_i[p]),
      .s_b_o(s_b_o[p*SBBits +: SBBits]),
      .s_ar_valid_i(s_ar_valid_i[p]), .s_ar_ready_o(s_ar_ready_o[p]),
      .s_ar_i(s_ar_i[p*SArBits +: SArBits]),
      .s_r_valid_o(s_r_valid_o[p]), .s_r_ready_i(s_r_ready_i[p]),
      .s_r_o(s_r_o[p*SRBits +: SRBits]),
      .m_aw_valid_o(m_aw_valid_o[p]), .m_aw_ready_i(m_aw_ready_i[p]),
      .m_aw_o(m_aw_o[p*MAwBits +: MAwBits]),
      .m_w_valid_o(m_w_valid_o[p]), .m_w_ready_i(m_w_ready_i[p]),
      .m_w_o(m_w_o[p*MWBits +: MWBits]),
      .m_b_valid_i(m_b_valid_i[p]), .m_b_ready_o(m_b_ready_o[p]),
      .m_b_i(m_b_i[p*MBBits +: MBBits]),
      .m_ar_valid_o(m_ar_valid_o[p]), .m_ar_ready_i(m_ar_ready_i[p]),
      .m_ar_o(m_ar_o[p*MArBits +: MArBits]),
      .m_r_valid_i(m_r_valid_i[p]), .m_r_ready_o(m_r_ready_o[p]),
      .m_r_i(m_r_i[p*MRBits +: MRBits]),
      .mode_i(mode_i[p*2 +: 2]), .error_mode_i(error_mode_i[p]),
      .asid_from_i(asid_from_i[p*2 +: 2]), .asid_shift_i(shift_i[p*5 +: 5]),
      .fetch_i(fetch_i[p*2 +: 2]), .asid_i(asid_i[p*AsidW +: AsidW]),
      .req_valid_o(req_valid_o[p]), .req_ready_i(req_ready_i[p]),
      .req_va_o(req_va_o[p*64 +: 64]), .req_access_o(req_access_o[p*2 +: 2]),
      .req_user_o(req_user_o[p]), .req_asid_o(req_asid_o[p*AsidW +: AsidW]),
      .req_warp_o(req_warp_o[p*WarpW +: WarpW]), .req_tag_o(req_tag_o[p*TagW +: TagW]),
      .rsp_valid_i(rsp_valid_i[p]), .rsp_tag_i(rsp_tag_i[p*TagW +: TagW]),
      .rsp_pfn_i(rsp_pa_i[p*PaW+12 +: PfnW]), .rsp_cause_i(rsp_cause_i[p*5 +: 5]),
      .f_valid_o(f_valid_o[p]), .f_rec_o(f_rec_o[p*RecW +: RecW]), .f_taken_i(f_taken_i[p]),
      .f_lost_i, .retry_i, .tick_i, .drop_i, .old_o(old_o[p]), .stalled_o(stalled_o[p*8 +: 8]),
      .busy_o(busy_o[p])
    );
  end
  if (NumPorts == 0) begin : gen_no_axi
    logic unused_axi;
    assign unused_axi = ^{
      s_aw_valid_i, s_aw_i, s_w_valid_i, s_w_i, s_b_ready_i, s_ar_valid_i, s_ar_i,
      s_r_ready_i, m_aw_ready_i, m_w_ready_i, m_b_valid_i, m_b_i, m_ar_ready_i,
      m_r_valid_i, m_r_i
    };
    assign {
      s_aw_ready_o, s_w_ready_o, s_b_valid_o, s_b_o, s_ar_ready_o, s_r_valid_o, s_r_o,
      m_aw_valid_o, m_aw_o, m_w_valid_o, m_w_o, m_b_ready_o, m_ar_valid_o, m_ar_o,
      m_r_ready_o
    } = '0;
  end
  for (genvar n = 0; n < Natives; n++) begin : gen_native
    localparam int P = NumPorts + n;
    if (NumNative > 0) begin : gen_built
      // offered before the acknowledgement and not taken: it is stale when it is taken
      logic old_answer;
      gmmu_native_port #(
        .Slots(Slots), .PaW(PaW), .AsidW(AsidW), .WarpW(WarpW), .TagW(NativeTagW), .IdW(AxiIdW)
      ) u_port (
        .clk_i, .rst_ni, .s_valid_i(n_req_valid_i[n]), .s_ready_o(n_req_ready_o[n]),
        .s_va_i(n_req_va_i[n*64 +: 64]),
        .s_access_i(n_req_access_i[n*2 +: 2]), .s_user_i(n_req_user_i[n]),
        .s_asid_i(n_req_asid_i[n*AsidW +: AsidW]),
        .s_warp_i(n_req_warp_i[n*WarpW +: WarpW]),
        .s_tag_i(n_req_tag_i[n*NativeTagW +: NativeTagW]),
        .m_valid_o(n_rsp_valid_o[n]), .m_ready_i(n_rsp_ready_i[n]),
        .m_warp_o(n_rsp_warp_o[n*WarpW +: WarpW]),
        .m_tag_o(n_rsp_tag_o[n*NativeTagW +: NativeTagW]), .m_pa_o(n_rsp_pa_o[n*PaW +: PaW]),
        .m_cause_o(n_rsp_cause_o[n*5 +: 5]),
        .mode_i(mode_i[P*2 +: 2]), .error_mode_i(error_mode_i[P]),
        .asid_from_i(asid_from_i[P*2 +: 2]),
        .asid_i(asid_i[P*AsidW +: AsidW]),
        .req_valid_o(req_valid_o[P]), .req_ready_i(req_ready_i[P]), .req_va_o(req_va_o[P*64 +: 64]),
        .req_access_o(req_access_o[P*2 +: 2]),
        .req_user_o(req_user_o[P]), .req_asid_o(req_asid_o[P*AsidW +: AsidW]),
        .req_warp_o(req_warp_o[P*WarpW +: WarpW]),
        .req_tag_o(req_tag_o[P*TagW +: TagW]), .rsp_valid_i(rsp_valid_i[P]),
        .rsp_tag_i(rsp_tag_i[P*TagW +: TagW]),
        .rsp_pfn_i(rsp_pa_i[P*PaW+12 +: PfnW]), .rsp_cause_i(rsp_cause_i[P*5 +: 5]),
        .f_valid_o(f_valid_o[P]), .f_rec_o(f_rec_o[P*RecW +: RecW]), .f_taken_i(f_taken_i[P]),
        .f_lost_i, .retry_i, .tick_i, .drop_i, .old_o(old_answer), .stalled_o(stalled_o[P*8 +: 8])
      );
      assign n_drop_o[n] = drop_i | old_answer;
      assign old_o[P]    = old_answer | n_busy_i[n];
      logic unused_settings;
      assign unused_settings = ^{shift_i[P*5 +: 5], fetch_i[P*2 +: 2]};
      assign busy_o[P] = 1'b0;
    end else begin : gen_none
      logic unused_native;
      assign unused_native = ^{n_req_valid_i, n_req_va_i, n_req_access_i, n_req_user_i,
          n_req_asid_i, n_req_warp_i, n_req_tag_i,
                               n_rsp_ready_i, n_busy_i};
      assign n_req_ready_o = '0;
      assign n_rsp_valid_o = '0;
      assign n_rsp_warp_o  = '0;
      assign n_rsp_tag_o   = '0;
      assign n_rsp_pa_o    = '0;
      assign n_rsp_cause_o = '0;
      assign n_drop_o      = '0;
    end
  end
endmodule
`default_nettype wire
