package rules_test
import ("testing";"fmt";"github.com/margay-dev/margay/schema/load/loadtest";"github.com/margay-dev/margay/validate";"github.com/margay-dev/margay/validate/rules";"github.com/margay-dev/margay/validate/validatetest";"strings")
func TestZZ(t *testing.T){
 all:=rules.All(); combos:=map[string]string{}; n:=map[string]int{}
 for _,f:=range []string{"load.jsonl.gz","load-ways.jsonl.gz"} { loadtest.Each(t,f,func(r *loadtest.Recording){
  l,_:=loadtest.Run(r); in,rep:=validatetest.InputOf(l,profileOf(r)); var rs []string; ex:=""
  for _,d:=range validate.Run(in,all,rep,validate.Options{}).Sorted(){ if strings.Contains(d.Effect,"does not start"){rs=append(rs,d.Rule); ex+="\n      "+d.Rule+" | "+d.Message+" | "+fmt.Sprint(d.Span.Position())}}
  if len(rs)>1{k:=strings.Join(rs,"+"); if n[k]++; n[k]==1 {combos[k]=r.ID+fmt.Sprintf("%.300s",r.Files["ocelot.json"])+ex}}
 })}
 for k,c:=range n{fmt.Println(c,k,combos[k])}
}
